//! What a comparison adds to the figures of merit of a run: one row each.

use super::{Comparison, Entry, Merit};
use crate::metrics::{Circumstances, Format, Listed, Listing, Measured, Metric, Shown, Value, When, listed};

impl<const D: usize> Measured<D> for Merit<D> {
    const TABLE: &'static [Metric<Self, D>] = &[
        Metric {
            key: "impulse_error",
            unit: "",
            meaning: "relative error of the normal impulse of the first impact",
            recorded: When::Always,
            value: Value::One(|merit| merit.impulse_error),
            shown: &[
                Shown::new(Listing::Csv, 80, "impulse_error"),
                Shown::new(Listing::Comparison, 80, "impulse").when(When::OfPoint).format(Format::Percent),
                Shown::new(Listing::Report, 90, "impulse error, first impact [%]")
                    .format(Format::Hundredfold),
            ],
        },
        Metric {
            key: "drift_after_stop",
            unit: "m",
            meaning: "way along the ground after the point should have stopped",
            recorded: When::Always,
            value: Value::One(|merit| merit.drift_after_stop),
            shown: &[
                Shown::new(Listing::Csv, 110, "drift_after_stop"),
                Shown::new(Listing::Comparison, 90, "drift").when(When::OfPoint),
                Shown::new(Listing::Report, 110, "drift after the stop [m]"),
            ],
        },
        Metric {
            key: "deceleration_error",
            unit: "",
            meaning: "relative error of the deceleration of sliding, over the longest stretch without an event",
            recorded: When::Always,
            value: Value::One(|merit| merit.deceleration_error),
            shown: &[
                Shown::new(Listing::Csv, 120, "deceleration_error"),
                Shown::new(Listing::Report, 100, "deceleration error, sliding [%]")
                    .format(Format::Hundredfold),
            ],
        },
        Metric {
            key: "max_cone_violation",
            unit: "N",
            meaning: "largest distance of the contact force from the friction cone",
            recorded: When::Always,
            value: Value::One(|merit| merit.max_cone_violation),
            shown: &[
                Shown::new(Listing::Csv, 140, "max_cone_violation"),
                Shown::new(Listing::Report, 150, "cone violation [N]"),
            ],
        },
        Metric {
            key: "deviation",
            unit: "m",
            meaning: "largest distance from the mean of the models, where the exact motion is not known",
            recorded: When::Never,
            value: Value::One(|merit| merit.deviation.map(|deviation| deviation.position)),
            shown: &[
                Shown::new(Listing::Csv, 50, "deviation").when(When::OfBodies),
                Shown::new(Listing::Comparison, 50, "off the mean").when(When::OfBodiesWithoutTruth),
                Shown::new(Listing::Report, 50, "from the mean of the models [m]")
                    .when(When::OfBodiesWithoutTruth),
            ],
        },
        Metric {
            key: "deviation_angle",
            unit: "rad",
            meaning: "largest angle from the mean of the models, where the exact motion is not known",
            recorded: When::Never,
            value: Value::One(|merit| {
                merit.deviation.and_then(|deviation| deviation.angle).map(|largest| largest.angle)
            }),
            shown: &[
                Shown::new(Listing::Csv, 60, "deviation_angle").when(When::OfBodies),
                Shown::new(Listing::Report, 60, "from the mean of the models [rad]")
                    .when(When::OfBodiesWithoutTruth),
            ],
        },
        Metric {
            key: "iterations_median",
            unit: "",
            meaning: "median of the solver's iterations per step",
            recorded: When::Never,
            value: Value::One(|merit| Some(f64::from(merit.iterations_median))),
            shown: &[
                Shown::new(Listing::Csv, 150, "iterations_median").format(Format::Whole),
                Shown::new(Listing::Comparison, 110, "iterations").format(Format::Whole),
                Shown::new(Listing::Report, 160, "iterations, median").format(Format::Whole),
            ],
        },
        Metric {
            key: "iterations_max",
            unit: "",
            meaning: "most iterations of the solver in a step",
            recorded: When::Never,
            value: Value::One(|merit| Some(f64::from(merit.iterations_max))),
            shown: &[
                Shown::new(Listing::Csv, 160, "iterations_max").format(Format::Whole),
                Shown::new(Listing::Report, 170, "iterations, most").format(Format::Whole),
            ],
        },
        Metric {
            key: "step_microseconds",
            unit: "us",
            meaning: "median wall time per step",
            recorded: When::Never,
            value: Value::One(|merit| Some(merit.step_microseconds)),
            shown: &[Shown::new(Listing::Comparison, 120, "time/step")],
        },
    ];
}

impl<const D: usize> Comparison<D> {
    /// The figures of an entry in a listing, in order: the same for every entry but in their values.
    pub fn listed(&self, entry: &Entry<D>, listing: Listing) -> Vec<Listed> {
        let circumstances = Circumstances {
            is_point: self.scenario.layout().is_point(),
            has_truth: self.truth.is_some(),
            rebounds: self.scenario.may_rebound(),
            ends_by_body: self.tells_ends_by_body(),
            place: self.place_at_end(),
        };
        let mut all = listed(&entry.merit.metrics, listing, circumstances);
        all.extend(listed(&entry.merit, listing, circumstances));
        all.sort_by_key(|listed| listed.rank);
        all
    }
}
