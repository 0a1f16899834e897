use crate::model::Real;

/// What holds for a coordinate of a joint. Units are those of lengths; of an angle m is rad, and N is N m.
#[derive(Debug, Clone, PartialEq)]
pub enum AxisLaw {
    /// It keeps a value.
    Locked {
        /// The value in m.
        at: f64,
    },
    /// A linear spring with a damper in parallel pulls it back.
    Sprung {
        /// The value at rest in m.
        rest: f64,
        /// Stiffness in N/m.
        stiffness: f64,
        /// Damping in N s/m.
        damping: f64,
    },
    /// Dry friction holds it, or slows it down.
    Rubbing {
        /// The largest friction in N.
        most: f64,
    },
    /// It stays between two stops.
    Stopped {
        /// The lower and the upper one in m.
        between: [f64; 2],
        /// Coefficient of restitution at them.
        restitution: f64,
    },
    /// The rotor of a motor turns with it.
    Inertial {
        /// What it adds to the inertia of the coordinate, in kg.
        inertia: f64,
    },
    /// A motor.
    Driven(Drive),
}

/// What a motor does to a coordinate.
#[derive(Debug, Clone, PartialEq)]
pub struct Drive {
    /// What is given.
    pub target: Target,
    /// Force per deviation from the target of a position, in N/m.
    pub kp: f64,
    /// Force per deviation from the rate of the target, in N s/m.
    pub kv: f64,
    /// The largest force in N, infinite if there is none.
    pub limit: f64,
}

/// What is given of a motor.
#[derive(Debug, Clone, PartialEq)]
pub enum Target {
    /// Its force in N.
    Force(Schedule),
    /// The coordinate in m, to be followed by the force `kp (x - c) + kv (x' - c')`.
    Position(Schedule),
    /// The rate of the coordinate in m/s, to be followed by the force `kv (w - c')`.
    Velocity(Schedule),
}

/// A number over time: linear between rows, and as the first before them and as the last after them.
#[derive(Debug, Clone, PartialEq)]
pub struct Schedule(Vec<[f64; 2]>);

impl Schedule {
    /// By rows of a time in s and the value then, in ascending order; one without rows is zero.
    pub fn new(rows: Vec<[f64; 2]>) -> Self {
        Self(rows)
    }

    /// The same for ever.
    pub fn constant(value: f64) -> Self {
        Self(vec![[0.0, value]])
    }

    /// Its rows.
    pub fn rows(&self) -> &[[f64; 2]] {
        &self.0
    }

    /// Its rows, to be changed.
    pub fn rows_mut(&mut self) -> &mut [[f64; 2]] {
        &mut self.0
    }

    /// The value at a time in s.
    pub fn at(&self, time: f64) -> f64 {
        let after = self.0.partition_point(|[start, _]| *start <= time);
        match (after.checked_sub(1).map(|before| self.0[before]), self.0.get(after)) {
            (Some([start, from]), Some([end, to])) => from + (to - from) * ((time - start) / (end - start)),
            (Some([_, value]), None) | (None, Some(&[_, value])) => value,
            (None, None) => 0.0,
        }
    }
}

/// What the law of a coordinate comes to in one step, if it has a row there. Units are those of [`AxisLaw`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum StepLaw<S> {
    /// The coordinate keeps the value `at`.
    Locked { at: S },
    /// A spring with a damper pulls to where `rest` is at the end of the step, which moves at `rate`, with `most` N at most.
    Pulled { stiffness: S, damping: S, rest: S, rate: S, most: Option<S> },
    /// Dry friction of at most so much.
    Rubbing { most: S },
    /// A rotor.
    Inertial { inertia: S },
}

impl StepLaw<f64> {
    /// It with the numbers that `number` makes of its own and those of `other`; `None` where that is of another kind.
    pub(super) fn with<S>(&self, other: &Self, number: impl Fn(f64, f64) -> S) -> Option<StepLaw<S>> {
        Some(match (*self, *other) {
            (Self::Locked { at }, Self::Locked { at: other }) => StepLaw::Locked { at: number(at, other) },
            (
                Self::Pulled { stiffness, damping, rest, rate, most },
                Self::Pulled { stiffness: stiff, damping: damp, rest: place, rate: speed, most: limit },
            ) => StepLaw::Pulled {
                stiffness: number(stiffness, stiff),
                damping: number(damping, damp),
                rest: number(rest, place),
                rate: number(rate, speed),
                most: most.zip(limit).map(|(most, limit)| number(most, limit)),
            },
            (Self::Rubbing { most }, Self::Rubbing { most: other }) => {
                StepLaw::Rubbing { most: number(most, other) }
            }
            (Self::Inertial { inertia }, Self::Inertial { inertia: other }) => {
                StepLaw::Inertial { inertia: number(inertia, other) }
            }
            _ => return None,
        })
    }
}

/// The numbers of a row.
pub(super) struct Terms<S> {
    /// In m/s.
    pub bias: S,
    /// The size in m/s of what the bias is the difference of.
    pub size: f64,
    /// In m/s per N s.
    pub compliance: S,
    /// The largest impulse in N s; none if there is no bound.
    pub most: Option<S>,
}

impl<S: Real> StepLaw<S> {
    /// The row of a coordinate that has the `value`, a difference of lengths of this `size` in m, in a step of `dt` s. `None`
    /// where it has none.
    ///
    /// That of a rotor is to have the rate before the step for its bias.
    pub(super) fn terms(&self, value: S, size: f64, dt: f64) -> Option<Terms<S>> {
        let step = S::constant(dt);
        match *self {
            Self::Locked { at } => Some(Terms {
                bias: (value - at) / step,
                size: size.max(at.value().abs()) / dt,
                compliance: S::zero(),
                most: None,
            }),
            Self::Pulled { stiffness, damping, rest, rate, most } => {
                let implicit = step * stiffness + damping;
                (implicit.value() > 0.0).then(|| Terms {
                    bias: (stiffness * (value - rest) - damping * rate) / implicit,
                    size: (stiffness.value() * size.max(rest.value().abs())
                        + damping.value() * rate.value().abs())
                        / implicit.value(),
                    compliance: S::one() / (step * implicit),
                    most: most.map(|most| step * most),
                })
            }
            Self::Rubbing { most } => (most.value() > 0.0).then(|| Terms {
                bias: S::zero(),
                size: 0.0,
                compliance: S::zero(),
                most: Some(step * most),
            }),
            Self::Inertial { inertia } => (inertia.value() > 0.0).then(|| Terms {
                bias: S::zero(),
                size: 0.0,
                compliance: S::one() / inertia,
                most: None,
            }),
        }
    }
}

impl AxisLaw {
    /// What it comes to in a step of `dt` s that starts at `time` in s; `None` where it has no row.
    pub(super) fn in_step(&self, time: f64, dt: f64) -> Option<StepLaw<f64>> {
        let bounded = |limit: f64| limit.is_finite().then_some(limit);
        match *self {
            Self::Locked { at } => Some(StepLaw::Locked { at }),
            Self::Sprung { rest, stiffness, damping } => {
                Some(StepLaw::Pulled { stiffness, damping, rest, rate: 0.0, most: None })
            }
            Self::Rubbing { most } => Some(StepLaw::Rubbing { most }),
            Self::Inertial { inertia } => Some(StepLaw::Inertial { inertia }),
            Self::Driven(Drive { target: Target::Position(ref schedule), kp, kv, limit }) => {
                let end = schedule.at(time + dt);
                Some(StepLaw::Pulled {
                    stiffness: kp,
                    damping: kv,
                    rest: end,
                    rate: (end - schedule.at(time)) / dt,
                    most: bounded(limit),
                })
            }
            Self::Driven(Drive { target: Target::Velocity(ref schedule), kv, limit, .. }) => {
                Some(StepLaw::Pulled {
                    stiffness: 0.0,
                    damping: kv,
                    rest: 0.0,
                    rate: schedule.at(time + dt),
                    most: bounded(limit),
                })
            }
            Self::Stopped { .. } | Self::Driven(Drive { target: Target::Force(_), .. }) => None,
        }
    }

    /// The force in N that it adds to its coordinate in a step that starts at `time` in s, whatever the coordinate does.
    pub(super) fn load(&self, time: f64) -> Option<f64> {
        match self {
            Self::Driven(Drive { target: Target::Force(schedule), .. }) => Some(schedule.at(time)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schedule_is_linear_between_its_rows_and_holds_its_ends() {
        let ramp = Schedule::new(vec![[1.0, 2.0], [3.0, 6.0], [3.0, 0.0]]);
        for (time, value) in [(0.0, 2.0), (1.0, 2.0), (1.5, 3.0), (2.0, 4.0), (3.0, 0.0), (9.0, 0.0)] {
            assert_eq!(ramp.at(time), value, "{time}");
        }
        assert_eq!(Schedule::constant(0.3).at(-5.0), 0.3);
        assert_eq!(Schedule::new(Vec::new()).at(1.0), 0.0);
    }
}
