//! How many sets of parameters a search may try.

use std::cell::Cell;

use crate::likelihood::Interrupted;

/// Sets of parameters that a fit may try: so many, and so many more for each parameter.
const SETS: (usize, usize) = (400, 1200);

/// Sets of parameters that a fit of so many parameters tries at most where nothing else is asked for.
pub(super) fn usual(parameters: usize) -> usize {
    SETS.0 + SETS.1 * parameters
}

/// What a search has left to spend; all parts of a fit share it.
#[derive(Debug)]
pub(super) struct Budget {
    most: usize,
    left: Cell<usize>,
    is_exceeded: Cell<bool>,
}

impl Budget {
    /// Of so many sets of parameters.
    pub fn new(most: usize) -> Self {
        Self { most, left: Cell::new(most), is_exceeded: Cell::new(false) }
    }

    /// Spends one set.
    ///
    /// # Errors
    /// [`Interrupted`] where nothing is left.
    pub fn spend(&self) -> Result<(), Interrupted> {
        match self.left.get().checked_sub(1) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => {
                self.is_exceeded.set(true);
                Err(Interrupted)
            }
        }
    }

    /// How many sets were spent.
    pub fn spent(&self) -> usize {
        self.most - self.left.get()
    }

    /// Whether more was asked for than there was.
    pub fn is_exceeded(&self) -> bool {
        self.is_exceeded.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_exceeded_by_one_more_than_it_has() {
        let budget = Budget::new(2);
        assert_eq!([budget.spend(), budget.spend()], [Ok(()), Ok(())]);
        assert!(!budget.is_exceeded() && budget.spent() == 2);
        assert_eq!(budget.spend(), Err(Interrupted));
        assert!(budget.is_exceeded());
    }
}
