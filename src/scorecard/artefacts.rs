//! What a simulation must not make up.

use super::{
    Adjustment, Experiment, Failing, Group, Observed, Phenomenon, Thresholds, Trial, impacts,
    scenes::{GRAVITY, ROUGHNESS, level, moving, over_ground, point, rectangle, solid},
};
use crate::{
    scenario::{Push, Scenario},
    stepper::StepperName,
};

pub(super) fn phenomena() -> Vec<Phenomenon> {
    vec![fast_box(), overlap(), friction_cone(), steady_load(), impacts::frictional_energy()]
}

fn fast_box() -> Phenomenon {
    fn scenes() -> Vec<Scenario<2>> {
        let body = moving(solid(rectangle(0.4, 0.2), [0.0, 0.1], 0.0), [6.0, 0.0], 0.0);
        vec![over_ground("fast-box", 0.5, vec![body], level(0.3, 0.0))]
    }
    fn measure(observed: &[Observed<2>]) -> f64 {
        let motion = &observed[0];
        motion.largest(0, |k| motion.position(0, k)[1] - 0.1)
    }
    Phenomenon {
        name: "fast-box",
        group: Group::Artefact,
        title: "A fast box stays on the ground",
        happens: "A flat box slides over level ground at 6 m/s. Nothing lifts it. Convex friction lets go only where \
                  the ground recedes at v_n >= mu |v_t|, which may throw the box up as fast.",
        formula: "z = h/2",
        source: "the lift of convex friction: Castro, Permenter and Han, IEEE Trans. Robot. 39, 2023",
        measure: "largest rise",
        unit: "m",
        truth: 0.0,
        thresholds: ROUGHNESS,
        remarks: &[],
        failing: Failing {
            stepper: StepperName::CONVEX,
            step: 1e-3,
            settings: None,
            why: "its friction lets go only where the ground recedes at mu times the sliding speed, and throws the box up",
        },
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}

fn overlap() -> Phenomenon {
    const DEPTH: f64 = 1e-3;
    fn scenes() -> Vec<Scenario<2>> {
        let body = solid(rectangle(0.4, 0.2), [0.0, 0.1 - DEPTH], 0.0);
        vec![over_ground("overlap", 0.4, vec![body], level(0.5, 0.0))]
    }
    fn measure(observed: &[Observed<2>]) -> f64 {
        let motion = &observed[0];
        motion.largest(0, |k| motion.position(0, k)[1] - 0.1).max(0.0)
    }
    Phenomenon {
        name: "overlap",
        group: Group::Artefact,
        title: "An overlap at the start throws nothing",
        happens: "A box is set 1 mm into the ground, as a careless modeller does. A model that undoes the overlap in \
                  one step gives it 1 m/s, and it jumps by 51 mm.",
        formula: "it stays, or comes up to the surface: at most 0 above it",
        source: "the velocity of a correction becomes a velocity of motion: Anitescu and Hart, Int. J. Numer. Meth. \
                 Eng. 60, 2004",
        measure: "height over the ground",
        unit: "m",
        truth: 0.0,
        thresholds: Thresholds {
            right: 1e-4,
            off: 5e-3,
            why: "A tenth of the overlap, and five times the overlap.",
        },
        remarks: &[],
        failing: Failing {
            stepper: StepperName::CONVEX,
            step: 1e-3,
            settings: None,
            why: "its spring gives back what the overlap stores",
        },
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}

fn friction_cone() -> Phenomenon {
    const FRICTION: f64 = 0.2;
    fn scenes() -> Vec<Scenario<2>> {
        let push = Push { frequency: Some(2.0), ..Push::constant([3.0 * FRICTION * GRAVITY, 0.0]) };
        let start = ([0.0, 0.0], [0.0, 0.0]);
        vec![Scenario { pushes: vec![push], ..point("friction-cone", 1.0, start, level(FRICTION, 0.0)) }]
    }
    fn measure(observed: &[Observed<2>]) -> f64 {
        let motion = &observed[0];
        let outside =
            motion.bodies[0].steps.iter().map(|step| step.force[0].abs() - FRICTION * step.force[1]);
        (outside.fold(0.0, f64::max)) / GRAVITY
    }
    Phenomenon {
        name: "friction-cone",
        group: Group::Artefact,
        title: "Friction never exceeds mu times the load",
        happens: "A block is pushed to and fro at 2 Hz, so that it sticks, slips and turns around four times. In no \
                  step may friction be larger than mu times the normal force.",
        formula: "|f_x| <= mu f_z",
        source: "Coulomb, Theorie des machines simples, Paris 1821",
        measure: "friction beyond the cone over the weight",
        unit: "1",
        truth: 0.0,
        thresholds: Thresholds {
            right: 1e-6,
            off: 1e-2,
            why: "A solver's tolerance, and 5 % of the friction.",
        },
        remarks: &[],
        failing: Failing {
            stepper: StepperName::NLP,
            step: 1e-3,
            settings: Some(Adjustment {
                text: "stepper.nlp.epsilon=0.1",
                apply: |settings| settings.nlp.epsilon = Some(0.1),
            }),
            why: "so much smoothing of its square root lets the impulse be sqrt(1 + 2 epsilon) times too large",
        },
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}

fn steady_load() -> Phenomenon {
    fn scenes() -> Vec<Scenario<2>> {
        vec![point("steady-load", 0.4, ([0.0, 0.0], [3.0, 0.0]), level(0.5, 0.0))]
    }
    /// Root mean square of the difference of the normal force and the weight, over the second half.
    fn measure(observed: &[Observed<2>]) -> f64 {
        let steps = &observed[0].bodies[0].steps;
        let sliding = &steps[steps.len() / 2..];
        let squares = sliding.iter().map(|step| (step.force[1] / GRAVITY - 1.0).powi(2));
        (squares.sum::<f64>() / sliding.len() as f64).sqrt()
    }
    Phenomenon {
        name: "steady-load",
        group: Group::Artefact,
        title: "The load of a sliding block is its weight",
        happens: "A block slides at 3 m/s over level ground. The normal force is its weight in every step; models whose \
                  contacts switch on and off press and let go by turns, which a controller that feels the force \
                  hears as noise.",
        formula: "f_z = m g",
        source: "Newton's second law",
        measure: "noise of the load over the weight",
        unit: "1",
        truth: 0.0,
        thresholds: Thresholds {
            right: 1e-4,
            off: 0.05,
            why: "A good force sensor resolves 1e-4 of its range; 5 % is felt by hand.",
        },
        remarks: &[],
        failing: Failing {
            stepper: StepperName::CONVEX,
            step: 1e-3,
            settings: None,
            why: "its contact lets the block float and fall while it slides",
        },
        trial: Trial::Plane(Experiment { scenes, measure }),
    }
}
