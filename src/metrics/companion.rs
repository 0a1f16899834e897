use std::ops::ControlFlow;

use super::BodyError;
use crate::{
    model::{Orientation, Vector},
    scenario::Scenario,
    simulate::{OnFailure, Simulation},
    stepper::Stepper,
    trajectory::Passage,
};

/// Most turns in rad that the exact motion of all bodies together is followed through, in steps in which they turn far.
/// It goes on in pieces of a turn, and what is as small as a grain of dust spins a million times faster than what one can
/// see: its errors are unknown rather than waited for.
const MOST_TURNED: f64 = 2e5;
/// Turn of a body in one step in rad up to which the exact motion goes through it in a few pieces.
const FEW_PIECES: f64 = 1.0;

/// The exact motion beside a run, and how far the run is from it, in the memory of a number of states that
/// does not grow with the run.
///
/// The run goes ahead by as many steps as there is room for, so that neither disturbs the times of the other;
/// then the exact motion catches up.
pub struct Companion<'a, const D: usize> {
    exact: Simulation<'a, D>,
    /// Where all bodies are that the exact motion is to be compared with, step after step.
    ahead: Vec<Vector<D>>,
    /// How they are turned there; empty where all are points.
    turned: Vec<Orientation>,
    most: usize,
    errors: Vec<BodyError<D>>,
    is_known: bool,
    /// In rad, by the spins at the ends of those of its steps of `dt` s that are long for them.
    turned_by: f64,
    dt: f64,
}

impl<'a, const D: usize> Companion<'a, D> {
    /// Beside a run of `scenario`; `exact` has been made for it. Keeps the positions of `most` states of all
    /// bodies together, or of one step.
    pub fn new(scenario: &'a Scenario<D>, exact: &'a mut dyn Stepper<D>, most: usize) -> Self {
        Self {
            exact: Simulation::new(scenario, exact, OnFailure::Stop).untimed(),
            ahead: Vec::new(),
            turned: Vec::new(),
            most,
            errors: vec![BodyError { position: Vector::zeros(), angle: None }; scenario.bodies.len()],
            is_known: true,
            turned_by: 0.0,
            dt: scenario.step,
        }
    }

    /// Adds the next step of the run; gives whether there is no room for another and the exact motion has to
    /// [catch up](Self::catch_up).
    #[inline]
    pub fn add(&mut self, passage: &Passage<'_, D>) -> bool {
        if self.is_known {
            self.ahead.extend(passage.states[1].iter().map(|state| state.position));
            if !passage.attitudes[1].is_empty() {
                self.turned.extend(passage.attitudes[1].iter().map(|attitude| attitude.orientation));
            }
        }
        self.ahead.len() + self.errors.len() > self.most
    }

    /// Takes the exact motion as far as the run is. `watch` is called after every step, and may stop it: the
    /// errors are unknown then.
    pub fn catch_up(&mut self, mut watch: impl FnMut() -> ControlFlow<()>) -> ControlFlow<()> {
        let mut flow = ControlFlow::Continue(());
        let bodies = self.errors.len();
        for (step, places) in self.ahead.chunks_exact(bodies).enumerate() {
            if !self.exact.step() {
                self.is_known = false;
                break;
            }
            let (states, attitudes) = self.exact.places();
            self.turned_by += attitudes
                .iter()
                .map(|attitude| attitude.spin.norm() * self.dt)
                .filter(|turn| *turn > FEW_PIECES)
                .sum::<f64>();
            for ((largest, place), truth) in self.errors.iter_mut().zip(places).zip(states) {
                largest.position = largest.position.sup(&(place - truth.position).abs());
            }
            if !attitudes.is_empty() {
                let turned = self.turned.get(bodies * step..).unwrap_or_default();
                for ((largest, turned), truth) in self.errors.iter_mut().zip(turned).zip(attitudes) {
                    let angle = turned.angle_to(&truth.orientation);
                    largest.angle = Some(largest.angle.map_or(angle, |largest| largest.max(angle)));
                }
            }
            if self.turned_by > MOST_TURNED {
                self.is_known = false;
                break;
            }
            flow = watch();
            if flow.is_break() {
                self.is_known = false;
                break;
            }
        }
        self.ahead.clear();
        self.turned.clear();
        flow
    }

    /// How far each body gets from the exact motion; `None` where that is not known to the end of the run.
    pub fn errors(&self) -> Option<&[BodyError<D>]> {
        (self.is_known && self.ahead.is_empty()).then_some(&self.errors)
    }
}
