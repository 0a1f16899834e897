//! The table of the built-in steppers: one row each, by families, in the order in which they are listed and compared.

use super::{StepperDescriptor, StepperName, cone, convex, exact, hybrid, lcp, nlp, smooth};

/// The rows of every family.
const FAMILIES: [&[StepperDescriptor]; 9] = [
    nlp::ROWS,
    nlp::seed::ROWS,
    lcp::ROWS,
    lcp::notes::ROWS,
    cone::ROWS,
    convex::ROWS,
    hybrid::ROWS,
    smooth::ROWS,
    exact::ROWS,
];

/// How many there are.
const COUNT: usize = {
    let (mut count, mut family) = (0, 0);
    while family < FAMILIES.len() {
        count += FAMILIES[family].len();
        family += 1;
    }
    count
};

/// Every row.
static TABLE: [&StepperDescriptor; COUNT] = ROWS;

const ROWS: [&StepperDescriptor; COUNT] = {
    let mut rows = [&FAMILIES[0][0]; COUNT];
    let (mut place, mut family) = (0, 0);
    while family < FAMILIES.len() {
        let mut row = 0;
        while row < FAMILIES[family].len() {
            rows[place] = &FAMILIES[family][row];
            place += 1;
            row += 1;
        }
        family += 1;
    }
    rows
};

/// The row at `place`, if there are so many.
pub(super) fn row(place: usize) -> Option<&'static StepperDescriptor> {
    TABLE.get(place).copied()
}

impl StepperName {
    /// Every built-in stepper, in the order in which they are listed and compared.
    pub const ALL: [Self; COUNT] = {
        let mut all = [Self::at(0, ROWS[0].name); COUNT];
        let mut place = 1;
        while place < COUNT {
            all[place] = Self::at(place, ROWS[place].name);
            place += 1;
        }
        all
    };

    /// The built-in stepper of a name that is known to be in the table: that it is not is found when the crate is
    /// compiled.
    pub(super) const fn built_in(name: &str) -> Self {
        let mut place = 0;
        while place < COUNT {
            if is_same(ROWS[place].name.as_bytes(), name.as_bytes()) {
                return Self::ALL[place];
            }
            place += 1;
        }
        panic!("the table of steppers has no row of this name");
    }
}

const fn is_same(a: &[u8], b: &[u8]) -> bool {
    let mut k = 0;
    while k < a.len() && k < b.len() && a[k] == b[k] {
        k += 1;
    }
    k == a.len() && k == b.len()
}

#[cfg(test)]
mod tests {
    use super::{COUNT, ROWS, StepperName};

    #[test]
    fn every_name_and_alias_stands_for_one_row() {
        let mut known = Vec::new();
        for (name, row) in StepperName::ALL.into_iter().zip(ROWS) {
            assert_eq!((name.as_str(), name.descriptor().name), (row.name, row.name));
            for &word in row.aliases.iter().chain([&row.name]) {
                assert_eq!(word.parse(), Ok(name));
                assert!(!known.contains(&word), "{word} stands for two rows");
                known.push(word);
            }
        }
        assert!(known.len() > COUNT);
    }
}
