//! IPOPT for the programs of the steppers; in a crate built without it, the refusal that says so.

use crate::{
    nlp::{Nlp, NlpSolver},
    stepper::{Refusal, StepperName},
};

/// What a stepper asks of IPOPT.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(not(feature = "ipopt"), expect(dead_code, reason = "nobody is there to fulfil them"))]
pub(super) struct Demands {
    pub tolerance: f64,
    /// Iterations after which a cold start is given up.
    pub max_iterations: u32,
    /// The same for a warm one.
    pub warm_max_iterations: u32,
    /// By how much the bounds are relaxed, relative to their size.
    pub bound_relaxation: f64,
}

/// IPOPT for programs of the structure of `program`. Its solutions are not judged by the residuals of
/// the program, because the steppers have conditions of their own for that.
///
/// # Errors
/// [`Refusal`] if IPOPT cannot be set up as demanded, or is not part of this build.
#[cfg(feature = "ipopt")]
pub(super) fn ipopt<const N: usize, const M: usize, P: Nlp<N, M> + 'static>(
    stepper: StepperName,
    program: &P,
    demands: Demands,
) -> Result<Box<dyn NlpSolver<N, M, P>>, Refusal> {
    use crate::nlp::{Ipopt, IpoptOptions};

    let mut options = IpoptOptions {
        tolerance: demands.tolerance,
        max_iterations: demands.max_iterations,
        warm_max_iterations: demands.warm_max_iterations,
        residual_tolerance: f64::INFINITY,
        acceptable_residual_tolerance: f64::INFINITY,
        ..IpoptOptions::default()
    };
    options.set("bound_relax_factor", demands.bound_relaxation);
    match Ipopt::new(program, &options) {
        Ok(solver) => Ok(Box::new(solver)),
        Err(error) => Err(Refusal {
            stepper,
            reason: format!("IPOPT cannot be set up: {error}"),
            remedy: "check [stepper.nlp]".to_owned(),
        }),
    }
}

#[cfg(not(feature = "ipopt"))]
pub(super) fn ipopt<const N: usize, const M: usize, P: Nlp<N, M> + 'static>(
    stepper: StepperName,
    _: &P,
    _: Demands,
) -> Result<Box<dyn NlpSolver<N, M, P>>, Refusal> {
    let instead = match stepper.descriptor().capabilities.needs_ipopt {
        true => "use stepper `nlp`",
        false => "set stepper.nlp.solver to \"interior-point\"",
    };
    Err(Refusal {
        stepper,
        reason: "it is to be solved by IPOPT, which this build leaves out".to_owned(),
        remedy: format!("{instead}, or build with the cargo feature `ipopt`, which is on by default"),
    })
}
