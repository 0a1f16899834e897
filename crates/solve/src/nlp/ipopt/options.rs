/// Settings of [`Ipopt`](super::Ipopt).
///
/// ```
/// # use stickslip_solve as stickslip;
/// use stickslip::nlp::IpoptOptions;
///
/// let mut options = IpoptOptions { tolerance: 1e-10, ..IpoptOptions::default() };
/// options.set("nlp_scaling_method", "none").set("max_wall_time", 5.0);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct IpoptOptions {
    /// Bound on the scaled residuals of the optimality conditions (IPOPT's `tol`).
    pub tolerance: f64,
    /// Iterations after which a solve is given up (`max_iter`).
    pub max_iterations: u32,
    /// The same for a warm start. From a good start a solve takes a handful; one that takes many
    /// times that is better begun anew, cold.
    pub warm_max_iterations: u32,
    /// Largest residual of the program as it was written, recomputed independently, for which a
    /// solution counts as solved. It has to leave room above `tolerance`, because IPOPT scales the
    /// program and relaxes its bounds by 1e-8.
    pub residual_tolerance: f64,
    /// The same for a solution that IPOPT calls acceptable.
    pub acceptable_residual_tolerance: f64,
    /// Barrier parameter at which a cold start begins (`mu_init`).
    pub cold_barrier: f64,
    /// Barrier parameter at which a warm start begins. Raise it if warm starts fail although the
    /// programs are near to each other: a start from further away wants a larger one.
    pub warm_barrier: f64,
    /// How far a warm start keeps variables and multipliers away from their bounds
    /// (`warm_start_bound_push` and its relatives).
    pub warm_push: f64,
    /// Any other options of IPOPT by name; [`set`](Self::set) adds one.
    pub others: Vec<(String, OptionValue)>,
}

impl Default for IpoptOptions {
    fn default() -> Self {
        Self {
            tolerance: 1e-8,
            max_iterations: 3000,
            warm_max_iterations: 3000,
            residual_tolerance: 1e-6,
            acceptable_residual_tolerance: 1e-4,
            cold_barrier: 0.1,
            warm_barrier: 1e-8,
            warm_push: 1e-8,
            others: Vec::new(),
        }
    }
}

impl IpoptOptions {
    /// Any other option of IPOPT, by its name in IPOPT's reference. Names and values are checked
    /// when a solver is built.
    pub fn set(&mut self, name: impl Into<String>, value: impl Into<OptionValue>) -> &mut Self {
        self.others.push((name.into(), value.into()));
        self
    }
}

/// The value of an option of IPOPT.
#[derive(Debug, Clone, PartialEq)]
pub enum OptionValue {
    /// A real number.
    Number(f64),
    /// A whole number.
    Integer(i32),
    /// A word, such as `yes`.
    Text(String),
}

impl std::fmt::Display for OptionValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Integer(number) => write!(f, "{number}"),
            Self::Text(text) => write!(f, "{text:?}"),
        }
    }
}

impl From<f64> for OptionValue {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<i32> for OptionValue {
    fn from(number: i32) -> Self {
        Self::Integer(number)
    }
}

impl From<&str> for OptionValue {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<bool> for OptionValue {
    fn from(switch: bool) -> Self {
        Self::Text(if switch { "yes" } else { "no" }.to_owned())
    }
}

/// Why a solver could not be built.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum IpoptError {
    /// IPOPT has no option of this name.
    #[error(
        "IPOPT has no option `{name}`; the names are listed at https://coin-or.github.io/Ipopt/OPTIONS.html"
    )]
    UnknownOption {
        /// The name that was given.
        name: String,
    },
    /// The option is set in another way, or has to keep its value for the solver to work.
    #[error("the option `{name}` of IPOPT cannot be set by name: {reason}")]
    ReservedOption {
        /// The name that was given.
        name: String,
        /// Why, and what to do.
        reason: &'static str,
    },
    /// The value is of the wrong kind or out of the range that IPOPT allows.
    #[error("{value} is refused for the option `{name}`, which takes {expected}")]
    InvalidOption {
        /// The name of the option.
        name: String,
        /// The value that was given.
        value: OptionValue,
        /// What it takes.
        expected: &'static str,
    },
    /// IPOPT could not allocate its objects.
    #[error("IPOPT could not be started: out of memory")]
    OutOfMemory,
}
