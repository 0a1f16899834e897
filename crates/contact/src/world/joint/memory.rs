use nalgebra::SVector;

use super::Joint;
use crate::{contact::Link, model::unwrapped};

/// What the joints of a world remember from step to step: how often angles have turned, and how fast the coordinates of rotors
/// were at the end of the last step. Axes count over all joints in their order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct JointMemory {
    /// Time in s at the start of the step.
    pub time: f64,
    /// The angle of each axis that has one, in rad; unknown before the first step.
    angles: Vec<Option<f64>>,
    /// The rate of each axis with a rotor; unknown before the first step.
    rates: Vec<Option<f64>>,
    /// Of each link of the step the axis that it is of, and whether it is that of a rotor.
    links: Vec<(usize, bool)>,
    /// How fast driven bodies move the coordinate of each link of the step, which its bias contains; empty where there are
    /// none.
    driven: Vec<f64>,
}

/// What is remembered of an axis: an angle in rad, the rate of a rotor in m/s or rad/s.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Remembered {
    /// The angle of an axis.
    Angle(usize, f64),
    /// The rate of an axis.
    Rate(usize, f64),
}

impl JointMemory {
    /// Makes room for the axes of these joints.
    pub(super) fn begin<const D: usize>(&mut self, joints: &[Joint<D>]) {
        let axes = joints.iter().map(|joint| joint.axes.len()).sum();
        self.angles.resize(axes, None);
        self.rates.resize(axes, None);
    }

    /// An angle from -pi to pi with the turns that it has made.
    pub(super) fn turned(&self, axis: usize, angle: f64) -> f64 {
        let before = self.angles.get(axis).copied().flatten().unwrap_or(0.0);
        unwrapped(angle, before)
    }

    pub(super) fn keep_angles(&mut self, angles: &[(usize, f64)]) {
        for (axis, angle) in angles {
            self.angles[*axis] = Some(*angle);
        }
    }

    pub(super) fn rate(&self, axis: usize) -> Option<f64> {
        self.rates.get(axis).copied().flatten()
    }

    /// The list of the links, empty, to be filled and kept.
    pub(super) fn take_links(&mut self) -> Vec<(usize, bool)> {
        let mut links = std::mem::take(&mut self.links);
        links.clear();
        links
    }

    /// Keeps of each link of a step its axis, and whether it is that of a rotor.
    pub(super) fn keep_links(&mut self, links: Vec<(usize, bool)>) {
        self.links = links;
    }

    /// The axis that each link of the step is of.
    pub fn axes_of_links(&self) -> impl Iterator<Item = usize> {
        self.links.iter().map(|(axis, _)| *axis)
    }

    /// Whether a link of the step is that of a rotor, whose bias is the rate that its coordinate had.
    pub(in crate::world) fn is_of_rotor(&self, link: usize) -> bool {
        self.links.get(link).is_some_and(|(_, is_of_rotor)| *is_of_rotor)
    }

    /// Has the rates of driven bodies be part of the biases of the `links` of the step, and the bodies none of them; `driven`
    /// says which they are, none if it is empty, and `velocity` how fast.
    pub(in crate::world) fn take_driven<const N: usize>(
        &mut self,
        links: &mut [Link<N>],
        driven: &[bool],
        velocity: &[SVector<f64, N>],
    ) {
        self.driven.clear();
        if driven.is_empty() {
            return;
        }
        for link in links {
            let mut rate = 0.0;
            for (body, row) in link.bodies.iter_mut().zip(&link.jacobian) {
                if let Some(index) = body.filter(|body| driven[*body]) {
                    rate += row.dot(&velocity[index]);
                    link.terms += row.abs().dot(&velocity[index].abs());
                    *body = None;
                }
            }
            link.bias += rate;
            self.driven.push(rate);
        }
    }

    /// How fast driven bodies move the coordinate of each link of the step; empty where nothing is driven.
    pub(in crate::world) fn driven_rates(&self) -> &[f64] {
        &self.driven
    }

    /// Keeps how fast the coordinates of rotors are by the solution of a step of `dt` s, which ends.
    pub(crate) fn end_step<const N: usize>(
        &mut self,
        links: &[Link<N>],
        velocity: &[SVector<f64, N>],
        dt: f64,
    ) {
        for (index, ((axis, is_of_rotor), link)) in self.links.iter().zip(links).enumerate() {
            if *is_of_rotor {
                let driven = self.driven.get(index).copied().unwrap_or(0.0);
                self.rates[*axis] = Some(link.rate(velocity) + driven);
            }
        }
        self.time += dt;
    }

    /// What is remembered, axis by axis.
    pub fn all(&self) -> impl Iterator<Item = Remembered> {
        let known = |numbers: &[Option<f64>]| -> Vec<(usize, f64)> {
            let known = numbers.iter().enumerate();
            known.filter_map(|(axis, number)| Some((axis, (*number)?))).collect()
        };
        let angles = known(&self.angles).into_iter().map(|(axis, angle)| Remembered::Angle(axis, angle));
        angles.chain(known(&self.rates).into_iter().map(|(axis, rate)| Remembered::Rate(axis, rate)))
    }

    /// Forgets everything but this.
    pub fn remember(&mut self, all: impl IntoIterator<Item = Remembered>) {
        self.angles.clear();
        self.rates.clear();
        let place = |numbers: &mut Vec<Option<f64>>, axis: usize, number| {
            if numbers.len() <= axis {
                numbers.resize(axis + 1, None);
            }
            numbers[axis] = Some(number);
        };
        for one in all {
            match one {
                Remembered::Angle(axis, angle) => place(&mut self.angles, axis, angle),
                Remembered::Rate(axis, rate) => place(&mut self.rates, axis, rate),
            }
        }
    }
}
