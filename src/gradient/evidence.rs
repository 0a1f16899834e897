use super::quality::{BIAS_LIMIT, NOTHING, Quality, SHARING_LIMIT};

/// What is known of a gradient, and makes its [`Quality`]; derivatives are per natural change of the input.
#[derive(Debug, Clone, Copy)]
pub(super) struct Evidence {
    /// The largest derivative of the state on the way.
    pub largest: f64,
    /// The largest derivative of what the run ends with.
    pub end: f64,
    /// How far it is off what it is held against, where there is that.
    pub bias: Option<f64>,
    /// Whether the result has other gradients to both sides.
    pub on_kink: bool,
    /// How far off it is that of another way to share loads that are open.
    pub off_by_sharing: f64,
    /// Whether differences of the results of the same steps say otherwise, beyond their error.
    pub is_contradicted: bool,
    /// Whether there is nothing to hold it against that would tell whether it is right.
    pub is_unchecked: bool,
}

impl Evidence {
    /// The worst that it tells, where a gradient explodes above `exploding_above`.
    pub fn quality(&self, exploding_above: f64) -> Quality {
        if self.largest > exploding_above {
            Quality::Exploding
        } else if self.on_kink {
            Quality::OneSided
        } else if self.off_by_sharing > SHARING_LIMIT {
            Quality::Indeterminate
        } else if self.is_contradicted {
            Quality::Contradicted
        } else if self.bias.is_some_and(|bias| bias > BIAS_LIMIT) {
            Quality::Biased
        } else if self.is_unchecked {
            Quality::Unchecked
        } else if self.end <= NOTHING {
            Quality::Zero
        } else {
            Quality::Ok
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXPLODING: f64 = 1e4;

    /// Nothing speaks against it.
    const GOOD: Evidence = Evidence {
        largest: 0.1 * EXPLODING,
        end: 1.0,
        bias: None,
        on_kink: false,
        off_by_sharing: 0.0,
        is_contradicted: false,
        is_unchecked: false,
    };

    fn verdict(evidence: Evidence) -> Quality {
        evidence.quality(EXPLODING)
    }

    #[test]
    fn the_worst_that_is_known_of_a_gradient_is_its_quality() {
        let grown = |times: f64| Evidence { largest: times * EXPLODING, ..GOOD };
        let biased = |times: f64| Evidence { bias: Some(times * BIAS_LIMIT), ..GOOD };
        let shared = |times: f64| Evidence { off_by_sharing: times * SHARING_LIMIT, ..GOOD };
        let ending = |times: f64| Evidence { end: times * NOTHING, ..GOOD };
        assert_eq!(verdict(GOOD), Quality::Ok);
        assert_eq!([1.0, 1.01].map(|times| verdict(grown(times))), [Quality::Ok, Quality::Exploding]);
        assert_eq!([1.0, 1.01].map(|times| verdict(biased(times))), [Quality::Ok, Quality::Biased]);
        assert_eq!([1.0, 1.01].map(|times| verdict(shared(times))), [Quality::Ok, Quality::Indeterminate]);
        assert_eq!([1.0, 2.0].map(|times| verdict(ending(times))), [Quality::Zero, Quality::Ok]);
    }

    #[test]
    fn of_several_verdicts_the_worst_counts() {
        // Each is the verdict whatever the rows above it say.
        let mut all = Evidence { end: 0.0, ..GOOD };
        assert_eq!(verdict(all), Quality::Zero);
        all.is_unchecked = true;
        assert_eq!(verdict(all), Quality::Unchecked);
        all.bias = Some(1.0);
        assert_eq!(verdict(all), Quality::Biased, "it should not be zero");
        all.is_contradicted = true;
        assert_eq!(verdict(all), Quality::Contradicted);
        all.off_by_sharing = 1.0;
        assert_eq!(verdict(all), Quality::Indeterminate);
        all.on_kink = true;
        assert_eq!(verdict(all), Quality::OneSided);
        all.largest = 1.01 * EXPLODING;
        assert_eq!(verdict(all), Quality::Exploding);
    }
}
