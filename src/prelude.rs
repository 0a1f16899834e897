//! What most programs need: `use stickslip::prelude::*;`.
//!
//! A scenario is built or read, a stepper is asked of it by name, and what it does is simulated and measured.
//!
//! ```
//! use stickslip::prelude::*;
//!
//! let mut scenario = Scenario {
//!     bodies: vec![Body::point(1.0, [0.0, 0.2], [1.0, 0.0])],
//!     ground: Ground { friction: 0.3, ..Ground::default() },
//!     duration: 0.5,
//!     ..Scenario::new("throw")
//! };
//! scenario.walls.push(Wall::new([-1.0, 0.0], -0.4));
//! for name in [StepperName::LCP, StepperName::EXACT] {
//!     let trajectory = simulate(&scenario, scenario.stepper(name)?.as_mut());
//!     assert_eq!(trajectory.ending, Ending::Complete);
//!     assert!(trajectory.final_state(0).position[0] <= 0.4 + 1e-9);
//! }
//! # Ok::<(), Refusal>(())
//! ```
//!
//! Studies (`compare`, `convergence`, `gradient`, `predict`, `fit`, `sweep`), pictures (`plot`, `report`) and the layers below
//! (`contact`, `world`, `nlp`, `lcp`, `convex`) have modules of their own, whose names are not repeated here.

pub use crate::{
    contact::{
        Accuracy, Contact as ContactRows, ContactModel, ContactProblem, Friction, Posing, Report, Residuals,
        Solution, SolveFailure,
    },
    metrics::{Gauge, Metrics},
    model::{Attitude, Orientation, Spin, State, Vector},
    scenario::{
        AnyScenario, Body, ConvexSettings, Ends, Ground, Inertia, LcpSettings, LcpSolverChoice, NlpSettings,
        NlpSolverChoice, Pair, PairContact, Partner, Push, PushTable, RestitutionLaw, Rod, Scenario,
        ScenarioError, Shape, SlidingFriction, SmoothLaw, SmoothSettings, Spring, StepperSettings,
        TurningLengths, Violation, Wall, parse_scenario, read_scenario,
    },
    simulate::{Beginning, OnFailure, Simulation, simulate, simulate_pushed},
    stepper::{
        BuildStepper, Contact, ContactMode, Honours, Refusal, StepFailure, StepStatus, Stepper, StepperName,
        registry::register_model,
    },
    trajectory::{Ending, Motion, Track, Trajectory, write_csv},
    watch::Watch,
    world::{Impacts, Surface},
};
