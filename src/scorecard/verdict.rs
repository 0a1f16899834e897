use std::fmt;

/// What a model's value is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// As near to the truth as the phenomenon asks for.
    Right,
    /// The phenomenon is there, its size is off.
    Off,
    /// Another thing happens, or nothing that can be measured.
    Wrong,
    /// The model does not admit the scenario.
    Refused,
}

impl Verdict {
    /// Every verdict, the best first.
    pub const ALL: [Self; 4] = [Self::Right, Self::Off, Self::Wrong, Self::Refused];

    /// The word that files use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Off => "off",
            Self::Wrong => "wrong",
            Self::Refused => "refused",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// How far from the truth a value may be, in the unit of the measure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Thresholds {
    /// Up to here it is right.
    pub right: f64,
    /// Up to here it is off; farther away it is wrong.
    pub off: f64,
    /// Why these.
    pub why: &'static str,
}

impl Thresholds {
    /// The verdict on `value` where `truth` is true. What is no number is wrong.
    pub fn judge(&self, value: f64, truth: f64) -> Verdict {
        let error = (value - truth).abs();
        if error <= self.right {
            Verdict::Right
        } else if error <= self.off {
            Verdict::Off
        } else {
            Verdict::Wrong
        }
    }
}
