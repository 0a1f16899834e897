use std::{
    any::Any,
    ffi::c_int,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// Keeps panics of the program from crossing IPOPT.
#[derive(Default)]
pub(super) struct Guard {
    /// The first panic of the program, to be resumed once IPOPT has returned.
    pub panic: Option<Box<dyn Any + Send>>,
}

impl Guard {
    /// Fills `values` by `evaluate`, unless the program has panicked before. One for success, zero
    /// for a panic or a value that is not finite, from which IPOPT retreats.
    pub fn run(&mut self, values: &mut [f64], evaluate: impl FnOnce(&mut [f64])) -> c_int {
        if self.panic.is_some() {
            return 0;
        }
        match catch_unwind(AssertUnwindSafe(|| {
            evaluate(values);
            values.iter().all(|value| value.is_finite())
        })) {
            Ok(is_finite) => c_int::from(is_finite),
            Err(panic) => {
                self.panic = Some(panic);
                0
            }
        }
    }

    /// One as long as IPOPT may go on.
    pub fn keep_going(&self) -> c_int {
        c_int::from(self.panic.is_none())
    }
}
