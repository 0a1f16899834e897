//! The experiments by name.

use std::{fmt, str::FromStr};

use super::{
    bilevel, direct,
    input::{Input, InputError, Run},
    linear_program, noise, particle, slack, structured, traditional,
};
use crate::spelling::closest;

/// Builds a runnable experiment from its input.
pub(super) type Build = fn(&mut Input) -> Result<Box<dyn Run>, InputError>;

/// The experiments: name, what it learns and how, and what builds it.
const EXPERIMENTS: [(&str, &str, Build); 11] = [
    ("direct", "velocities from known forces by an affine model with a rectifier (notes 3.1.1)", |input| {
        Ok(Box::new(direct::Direct::new(input)?))
    }),
    ("slack", "velocities from the unused friction, exactly and linearly (notes 3.1.2)", |input| {
        Ok(Box::new(slack::Slack::new(input)?))
    }),
    ("traditional", "M and q of the complementarity problem by penalties (notes 3.1.3)", |input| {
        Ok(Box::new(traditional::Traditional::new(input)?))
    }),
    ("structured", "M and q with M positive semidefinite plus skew (notes 3.1.3)", |input| {
        Ok(Box::new(structured::Structured::new(input)?))
    }),
    ("linear-program", "M and q by a linear program, and how unique they are (notes 3.1.4)", |input| {
        Ok(Box::new(linear_program::LinearProgram::new(input)?))
    }),
    ("noise", "no parameter: how errors in M and q destroy sticking (notes 3.2)", |input| {
        Ok(Box::new(noise::Noise::new(input)?))
    }),
    ("bilevel", "friction from velocities, by descent over inner problems (notes 3.2.4)", |input| {
        Ok(Box::new(bilevel::Bilevel::hard(input)?))
    }),
    ("soft-bilevel", "the same with hinges in place of constraints (notes 3.2.4)", |input| {
        Ok(Box::new(bilevel::Bilevel::soft(input)?))
    }),
    ("sticking-cost", "the same with a cost on friction that sliding leaves unused (notes 3.2.5)", |input| {
        Ok(Box::new(bilevel::Bilevel::sticking_cost(input)?))
    }),
    ("mpcc", "friction from velocities, with complementarity as constraints, by IPOPT (notes 4)", mpcc),
    ("particle", "friction and restitution of a thrown point, from noisy trajectories", |input| {
        Ok(Box::new(particle::Particle::new(input)?))
    }),
];

#[cfg(feature = "ipopt")]
fn mpcc(input: &mut Input) -> Result<Box<dyn Run>, InputError> {
    Ok(Box::new(super::mpcc::Mpcc::new(input)?))
}

#[cfg(not(feature = "ipopt"))]
fn mpcc(_: &mut Input) -> Result<Box<dyn Run>, InputError> {
    let reason = "mpcc is solved by IPOPT, which this build leaves out; learn the same by `bilevel`, or build with \
                  the cargo feature `ipopt`, which is on by default";
    Err(InputError::Unsuited(reason.to_owned()))
}

/// The name of an experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Experiment(usize);

/// There is no experiment of this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no experiment `{given}`; the experiments are {}{}", names().collect::<Vec<_>>().join(", "), meant(given))]
pub struct UnknownExperiment {
    /// The name that was given.
    pub given: String,
}

fn names() -> impl Iterator<Item = &'static str> {
    EXPERIMENTS.iter().map(|(name, ..)| *name)
}

/// The name that was probably meant, as the end of a sentence.
fn meant(given: &str) -> String {
    let names: Vec<&str> = names().collect();
    closest(given, names).map(|name| format!("; did you mean `{name}`?")).unwrap_or_default()
}

impl Experiment {
    /// All experiments.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..EXPERIMENTS.len()).map(Self)
    }

    /// Its name, as in `linear-program`.
    pub fn as_str(self) -> &'static str {
        EXPERIMENTS[self.0].0
    }

    /// What builds it.
    pub(super) fn builder(self) -> Build {
        EXPERIMENTS[self.0].2
    }

    /// What it learns and how, in one line.
    pub fn summary(self) -> &'static str {
        EXPERIMENTS[self.0].1
    }
}

impl fmt::Display for Experiment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Experiment {
    type Err = UnknownExperiment;

    fn from_str(given: &str) -> Result<Self, UnknownExperiment> {
        let place = names().position(|name| name == given.replace('_', "-"));
        place.map(Self).ok_or_else(|| UnknownExperiment { given: given.to_owned() })
    }
}
