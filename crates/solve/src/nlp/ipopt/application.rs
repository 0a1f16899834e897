use std::{
    ffi::{CStr, CString, c_int},
    thread::{self, ThreadId},
};

use super::{
    ffi,
    options::{IpoptError, IpoptOptions, OptionValue},
};

/// Options that cannot be set by name, each with the reason.
const RESERVED: [(&str, &str); 9] = [
    ("tol", "set the field `tolerance`"),
    ("max_iter", "set the fields `max_iterations` and `warm_max_iterations`"),
    ("mu_init", "set the fields `cold_barrier` and `warm_barrier`"),
    ("warm_start_init_point", "give the start multipliers to make it a warm one"),
    ("warm_start_same_structure", "it would keep the scaling of the first program for all others"),
    ("linear_solver", "the factorisation is built in"),
    ("option_file_name", "options are read from the program only, never from a file"),
    ("sb", "the banner is always left out"),
    ("print_level", "the log is switched by `Ipopt::set_verbose`"),
];

/// IPOPT's code for want of memory.
const OUT_OF_MEMORY: c_int = -102;

/// Options that all warm starts share; they take the value of [`IpoptOptions::warm_push`].
const WARM_PUSHES: [&str; 5] = [
    "warm_start_bound_push",
    "warm_start_bound_frac",
    "warm_start_slack_bound_push",
    "warm_start_slack_bound_frac",
    "warm_start_mult_bound_push",
];

/// An owned application of IPOPT with its options set.
///
/// The tags by which IPOPT recognises changed objects are numbered per thread, and an application
/// that solved on two threads could take an old result for a new one. So it is made anew by the first
/// solve on another thread than the one that made it. Nothing is lost: what a warm start needs comes
/// with every solve.
pub(super) struct Application {
    raw: *mut ffi::Application,
    /// The thread whose tags the objects have.
    thread: ThreadId,
    options: IpoptOptions,
    cold_max_iterations: c_int,
    warm_max_iterations: c_int,
    is_warm: bool,
    is_verbose: bool,
}

// SAFETY: the pointer is the only way to the C++ objects, which no thread shares and which hold no
// locks or thread-local storage; what depends on the thread, their tags, is never used on another one
// (see `solve`).
unsafe impl Send for Application {}

impl Application {
    pub fn new(options: &IpoptOptions) -> Result<Self, IpoptError> {
        for (name, tolerance) in [
            ("residual_tolerance", options.residual_tolerance),
            ("acceptable_residual_tolerance", options.acceptable_residual_tolerance),
        ] {
            if tolerance.is_nan() || tolerance <= 0.0 {
                let (name, value) = (name.to_owned(), tolerance.into());
                return Err(IpoptError::InvalidOption { name, value, expected: "a positive number" });
            }
        }
        let raw = ffi::stickslip_ipopt_new();
        if raw.is_null() {
            return Err(IpoptError::OutOfMemory);
        }
        let limit = |iterations: u32| c_int::try_from(iterations).unwrap_or(c_int::MAX);
        let cold_max_iterations = limit(options.max_iterations);
        let warm_max_iterations = limit(options.warm_max_iterations);
        let mut this = Self {
            raw,
            thread: thread::current().id(),
            options: options.clone(),
            cold_max_iterations,
            warm_max_iterations,
            is_warm: false,
            is_verbose: false,
        };
        // No banner: a flag of its own that all threads share says whether it was shown.
        this.set("sb", &"yes".into())?;
        // Bunch-Kaufman is stable; refine only where the residual asks for it.
        this.set("min_refinement_steps", &0.into())?;
        this.set("tol", &options.tolerance.into())?;
        this.set("max_iter", &cold_max_iterations.into())?;
        for name in WARM_PUSHES {
            this.set(name, &options.warm_push.into())?;
        }
        this.set("mu_init", &options.warm_barrier.into())?; // for the check of its range
        this.set("mu_init", &options.cold_barrier.into())?;
        for (name, value) in &options.others {
            if let Some((_, reason)) = RESERVED.iter().find(|(reserved, _)| reserved == name) {
                return Err(IpoptError::ReservedOption { name: name.clone(), reason });
            }
            this.set(name, value)?;
        }
        Ok(this)
    }

    fn set(&mut self, name: &str, value: &OptionValue) -> Result<(), IpoptError> {
        let unknown = || IpoptError::UnknownOption { name: name.to_owned() };
        let key = CString::new(name).map_err(|_| unknown())?;
        // SAFETY: the application is alive, and the key is a terminated string; as in all calls below.
        let kind = unsafe { ffi::stickslip_ipopt_option_kind(self.raw, key.as_ptr()) };
        let (is_set, expected) = match (kind, value) {
            (0, OptionValue::Number(number)) => (self.set_number(&key, *number), "a number in its range"),
            (0, OptionValue::Integer(number)) => {
                (self.set_number(&key, f64::from(*number)), "a number in its range")
            }
            (0, OptionValue::Text(_)) => (false, "a number"),
            (1, OptionValue::Integer(number)) => {
                // SAFETY: see above.
                let is_set = unsafe { ffi::stickslip_ipopt_set_integer(self.raw, key.as_ptr(), *number) };
                (is_set != 0, "a whole number in its range")
            }
            (1, _) => (false, "a whole number"),
            (2, OptionValue::Text(text)) => (self.set_text(&key, text), "one of the words in its reference"),
            (2, _) => (false, "a word"),
            _ => return Err(unknown()),
        };
        if is_set {
            return Ok(());
        }
        Err(IpoptError::InvalidOption { name: name.to_owned(), value: value.clone(), expected })
    }

    fn set_number(&mut self, key: &CStr, number: f64) -> bool {
        // IPOPT's check of the range lets NaN pass.
        // SAFETY: the application is alive, and the key is a terminated string.
        number.is_finite() && unsafe { ffi::stickslip_ipopt_set_number(self.raw, key.as_ptr(), number) != 0 }
    }

    fn set_text(&mut self, key: &CStr, text: &str) -> bool {
        let Ok(text) = CString::new(text) else { return false };
        // SAFETY: the application is alive, and both are terminated strings.
        unsafe { ffi::stickslip_ipopt_set_text(self.raw, key.as_ptr(), text.as_ptr()) != 0 }
    }

    pub fn set_verbose(&mut self, verbose: bool) {
        self.is_verbose = verbose;
        // SAFETY: the application is alive.
        unsafe { ffi::stickslip_ipopt_set_verbose(self.raw, c_int::from(verbose)) }
    }

    /// Chooses between cold and warm starts for the coming solves.
    fn set_warm(&mut self, is_warm: bool) {
        if self.is_warm != is_warm {
            self.set_text(c"warm_start_init_point", if is_warm { "yes" } else { "no" });
            self.set_number(
                c"mu_init",
                if is_warm { self.options.warm_barrier } else { self.options.cold_barrier },
            );
            let most = if is_warm { self.warm_max_iterations } else { self.cold_max_iterations };
            // SAFETY: the application is alive, and the key is a terminated string.
            unsafe { ffi::stickslip_ipopt_set_integer(self.raw, c"max_iter".as_ptr(), most) };
            self.is_warm = is_warm;
        }
    }

    /// Solves `program` and returns IPOPT's code, or [`OUT_OF_MEMORY`] if the application had to be made
    /// anew and could not.
    ///
    /// # Safety
    /// Every pointer in `program` is valid for the sizes it gives, and the evaluations accept its
    /// context. All programs of one application have the same structure.
    pub unsafe fn solve(&mut self, program: &mut ffi::Program, is_warm: bool) -> c_int {
        if self.thread != thread::current().id() {
            // The options were accepted once: memory is all that can be missing.
            let Ok(anew) = Self::new(&self.options) else { return OUT_OF_MEMORY };
            let verbose = self.is_verbose;
            *self = anew;
            self.set_verbose(verbose);
        }
        self.set_warm(is_warm);
        // SAFETY: the application is alive, and the caller vouches for the program.
        unsafe { ffi::stickslip_ipopt_solve(self.raw, program) }
    }
}

impl Drop for Application {
    fn drop(&mut self) {
        // SAFETY: the application was made by `new`, and this is its last use.
        unsafe { ffi::stickslip_ipopt_free(self.raw) }
    }
}

/// IPOPT's version, such as `3.14.16`.
pub fn version() -> &'static str {
    // SAFETY: the shim returns a string literal.
    unsafe { CStr::from_ptr(ffi::stickslip_ipopt_version()) }.to_str().unwrap_or("unknown")
}
