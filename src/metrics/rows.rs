//! The figures of merit of a run: one row each.

use super::{
    BodyMetrics, Format, Listing, Measured, Metric, Metrics, When,
    complementarity::LargestViolation,
    energy::{EnergyGains, EnergyMade},
    false_impulse::FalseImpulse,
    force_noise::ForceNoise,
    friction_lag::FrictionLag,
    metric::{Shown, Value},
    natural_map::NaturalMap,
    penetration::Depths,
    rods::{RodStrain, Rods},
    search,
    slip_distance::SlipDistance,
    stop::Rests,
    way_overlap::WayOverlap,
};
use crate::model::axis_names;

impl<const D: usize> Measured<D> for Metrics<D> {
    const TABLE: &'static [Metric<Self, D>] = &[
        Metric {
            key: "final",
            unit: "m",
            meaning: "position at the end of the run",
            recorded: When::OfPoint,
            value: Value::ByAxis(|metrics| Some(metrics.final_center)),
            shown: &[],
        },
        Metric {
            key: "final_center",
            unit: "m",
            meaning: "centre of mass of all that moves, at the end of the run",
            recorded: When::OfBodies,
            value: Value::ByAxis(|metrics| Some(metrics.final_center)),
            shown: &[
                Shown::new(Listing::Csv, 10, "final_{axis}"),
                Shown::new(Listing::Comparison, 10, "{place} {axis}")
                    .when(When::UnlessByBody)
                    .format(Format::Micrometres),
                Shown::new(Listing::Report, 10, "{place} {axis} [m]").format(Format::Micrometres),
            ],
        },
        Metric {
            key: "stop_time",
            unit: "s",
            meaning: "when everything has come to rest for good",
            recorded: When::Always,
            value: Value::Observed(Rests::observer),
            shown: &[
                Shown::new(Listing::Run, 10, "stop time").when(When::WhereKnown),
                Shown::new(Listing::Csv, 20, "stop_time"),
                Shown::new(Listing::Comparison, 20, "stop"),
                Shown::new(Listing::Report, 20, "comes to rest at [s]").format(Format::Decimals),
            ],
        },
        Metric {
            key: "slip_distance",
            unit: "m",
            meaning: "way by which two surfaces that press on each other have moved past each other, of the pair that came farthest",
            recorded: When::WhereKnown,
            value: Value::Observed(SlipDistance::observer),
            shown: &[
                Shown::new(Listing::Run, 15, "slip distance").when(When::WhereKnown),
                Shown::new(Listing::Csv, 195, "slip_distance"),
                Shown::new(Listing::Report, 25, "slides on what it touches by [m]")
                    .format(Format::Micrometres),
            ],
        },
        Metric {
            key: "max_penetration",
            unit: "m",
            meaning: "deepest overlap: of a point how far it was below the ground, of bodies that of their contacts",
            recorded: When::Always,
            value: Value::Observed(Depths::observer),
            shown: &[
                Shown::new(Listing::Run, 20, "max penetration").when(When::WhereKnown),
                Shown::new(Listing::Csv, 70, "max_penetration"),
                Shown::new(Listing::Comparison, 60, "penetration"),
                Shown::new(Listing::Report, 80, "deepest penetration [m]"),
            ],
        },
        Metric {
            key: "max_energy_gain",
            unit: "J",
            meaning: "largest rise of the energy in a step beyond the work of pushes, conveyors and drives; of a rebound half a step of gravity is in it",
            recorded: When::Always,
            value: Value::Observed(EnergyGains::observer),
            shown: &[
                Shown::new(Listing::Run, 30, "max energy gain")
                    .when(When::WhereKnown)
                    .note_when(When::OfRebounds, "J (in a step; of a rebound half a step of gravity)"),
                Shown::new(Listing::Csv, 90, "max_energy_gain"),
                Shown::new(Listing::Comparison, 100, "energy gain"),
                Shown::new(Listing::Report, 120, "energy gain in a step [J]"),
            ],
        },
        Metric {
            key: "energy_made",
            unit: "",
            meaning: "most energy beyond what there was at the start and the work of pushes, conveyors, drives and driven bodies, over the largest kinetic energy",
            recorded: When::WhereKnown,
            value: Value::Observed(EnergyMade::observer),
            shown: &[],
        },
        Metric {
            key: "max_complementarity",
            unit: "",
            meaning: "largest violation of the complementarity that a time step poses (force across an open gap, slip inside the cone), in units of the weight and of what gravity adds in a step",
            recorded: When::OfPoint,
            value: Value::Observed(LargestViolation::observer),
            shown: &[
                Shown::new(Listing::Run, 40, "max complementarity")
                    .when(When::WhereKnown)
                    .note("(of a time step)"),
                Shown::new(Listing::Csv, 130, "max_complementarity"),
                Shown::new(Listing::Report, 140, "complementarity violation of a time step"),
            ],
        },
        Metric {
            key: "force_noise",
            unit: "N",
            meaning: "standard deviation of the net normal force over the steps in sustained contact",
            recorded: When::OfPoint,
            value: Value::Observed(ForceNoise::observer),
            shown: &[
                Shown::new(Listing::Run, 50, "force noise").when(When::WhereKnown),
                Shown::new(Listing::Csv, 100, "force_noise"),
                Shown::new(Listing::Report, 130, "noise of the normal force [N]"),
            ],
        },
        Metric {
            key: "max_rod_error",
            unit: "m",
            meaning: "largest difference of a rod's length, or of a joint's points, from what it has to be",
            recorded: When::WhereKnown,
            value: Value::Observed(Rods::observer),
            shown: &[Shown::new(Listing::Run, 60, "max rod/joint error").when(When::WhereKnown)],
        },
        Metric {
            key: "max_rod_strain",
            unit: "",
            meaning: "largest difference of a rod's length from what it has to be, as a part of it, or of a joint's points, as a part of the size of its larger body",
            recorded: When::WhereKnown,
            value: Value::Observed(RodStrain::observer),
            shown: &[],
        },
        Metric {
            key: "max_error",
            unit: "m",
            meaning: "largest distance from the exact motion along an axis",
            recorded: When::Always,
            value: Value::ByAxis(|metrics| metrics.max_error),
            shown: &[
                Shown::new(Listing::Run, 90, "max error {axis}").when(When::WhereKnown),
                Shown::new(Listing::Csv, 30, "max_error_{axis}"),
                Shown::new(Listing::Comparison, 30, "error {axis}").error(),
                Shown::new(Listing::Report, 30, "largest error in {axis} [m]").error(),
            ],
        },
        Metric {
            key: "max_error_angle",
            unit: "rad",
            meaning: "largest angle between the orientation and that of the exact motion",
            recorded: When::OfBodies,
            value: Value::One(|metrics| metrics.max_turn_error),
            shown: &[
                Shown::new(Listing::Run, 70, "max error angle").when(When::WhereKnown),
                Shown::new(Listing::Csv, 40, "max_error_angle").when(When::OfBodies),
                Shown::new(Listing::Comparison, 40, "error angle").when(When::OfBodies),
                Shown::new(Listing::Report, 40, "largest error in angle [rad]")
                    .when(When::OfBodiesWithTruth)
                    .error(),
            ],
        },
        Metric {
            key: "max_natural_map",
            unit: "",
            meaning: "largest residual of Coulomb's law in a step, recomputed from the problem of the step and scaled",
            recorded: When::OfBodies,
            value: Value::Observed(NaturalMap::observer),
            shown: &[
                Shown::new(Listing::Run, 80, "max natural map")
                    .when(When::WhereKnown)
                    .note("(scaled, of Coulomb's law)"),
                Shown::new(Listing::Csv, 190, "max_natural_map").when(When::OfBodies),
                Shown::new(Listing::Comparison, 70, "natural map").when(When::OfBodies),
                Shown::new(Listing::Report, 70, "residual of Coulomb's law (natural map)")
                    .when(When::OfBodies),
            ],
        },
        Metric {
            key: "friction_lag",
            unit: "",
            meaning: "largest difference between the coefficient by which a contact slid in a step and that of the slip with which the step ends",
            recorded: When::WhereKnown,
            value: Value::Observed(FrictionLag::observer),
            shown: &[Shown::new(Listing::Run, 86, "max friction lag")
                .when(When::WhereKnown)
                .note("(coefficient of the step's end less that of its solve)")],
        },
        Metric {
            key: "max_false_impulse",
            unit: "",
            meaning: "largest product of an impulse and the true gap at the end of its step, over mass, speed and length: 0 where what pushes touches to the end, and of what rebounds how far it goes within the step",
            recorded: When::WhereKnown,
            value: Value::Observed(FalseImpulse::observer),
            shown: &[Shown::new(Listing::Run, 81, "max false impulse")
                .when(When::WhereKnown)
                .note("(impulse times the gap at the end of its step, over m v L)")],
        },
        Metric {
            key: "max_overlap_on_way",
            unit: "m",
            meaning: "deepest overlap of bodies on the way of a step, from their geometry evaluated anew",
            recorded: When::WhereKnown,
            value: Value::Observed(WayOverlap::observer),
            shown: &[
                Shown::new(Listing::Run, 82, "max overlap on way").when(When::WhereKnown),
                Shown::new(Listing::Comparison, 61, "overlap on the way").when(When::WhereKnown),
                Shown::new(Listing::Report, 81, "deepest overlap on the way [m]").when(When::WhereKnown),
            ],
        },
        Metric {
            key: "extra_solves",
            unit: "",
            meaning: "problems that were solved beyond one per step, as the way of a step met what it had left out",
            recorded: When::WhereKnown,
            value: Value::Observed(search::extra_solves),
            shown: &[Shown::new(Listing::Run, 83, "further solves")
                .format(Format::Whole)
                .when(When::WhereKnown)
                .note("(for contacts of the way)")],
        },
        Metric {
            key: "met_contacts",
            unit: "",
            meaning: "contacts that were added because the way of a step ran into them",
            recorded: When::WhereKnown,
            value: Value::Observed(search::met),
            shown: &[Shown::new(Listing::Run, 84, "met contacts")
                .format(Format::Whole)
                .when(When::WhereKnown)
                .note("(added after a solve whose motion would have run into something)")],
        },
        Metric {
            key: "uncertified_steps",
            unit: "",
            meaning: "steps whose motion is not that of what touches, by whichever model: bodies push each other across a gap, get deeper into each other than they were, or their contacts did not settle",
            recorded: When::OfBodies,
            value: Value::Observed(search::Uncertified::observer),
            shown: &[
                Shown::new(Listing::Csv, 195, "uncertified_steps").when(When::OfBodies),
                Shown::new(Listing::Comparison, 75, "uncertified").format(Format::Whole).when(When::OfBodies),
                Shown::new(Listing::Report, 75, "steps whose motion is not that of what touches")
                    .format(Format::Whole)
                    .when(When::OfBodies),
            ],
        },
        Metric {
            key: "unsettled_steps",
            unit: "",
            meaning: "steps in which the contacts by the way did not settle",
            recorded: When::WhereKnown,
            value: Value::Observed(search::unsettled),
            shown: &[Shown::new(Listing::Run, 85, "unsettled steps")
                .format(Format::Whole)
                .when(When::WhereKnown)],
        },
    ];

    fn observed(&self, key: &str) -> Option<f64> {
        self.get(key)
    }
}

/// Those of every body, beside where it is at the end and how it is turned.
impl<const D: usize> Measured<D> for BodyMetrics<D> {
    const TABLE: &'static [Metric<Self, D>] = &[
        Metric {
            key: "max_penetration",
            unit: "m",
            meaning: "deepest overlap: of a point how far it was below the ground, of bodies that of their contacts",
            recorded: When::Always,
            value: Value::One(|body| Some(body.max_penetration)),
            shown: &[],
        },
        Metric {
            key: "max_energy_gain",
            unit: "J",
            meaning: "largest rise of the energy in a step beyond the work of pushes, conveyors and drives; of a rebound half a step of gravity is in it",
            recorded: When::Always,
            value: Value::One(|body| Some(body.max_energy_gain)),
            shown: &[],
        },
        Metric {
            key: "max_error",
            unit: "m",
            meaning: "largest distance from the exact motion along an axis",
            recorded: When::Always,
            value: Value::ByAxis(|body| body.max_error),
            shown: &[],
        },
        Metric {
            key: "max_error_angle",
            unit: "rad",
            meaning: "largest angle between the orientation and that of the exact motion",
            recorded: When::OfBodies,
            value: Value::One(|body| body.max_turn_error),
            shown: &[],
        },
    ];
}

/// The unit of a metric of that name, after what it is nested in; empty for a pure number.
pub fn unit_of_metric(name: &str) -> &'static str {
    let own = name.rsplit('.').next().unwrap_or(name);
    unit_in::<Metrics<3>>(own).or_else(|| unit_in::<BodyMetrics<3>>(own)).unwrap_or(match own {
        "x" | "y" | "z" => "m",
        "angle" => "rad",
        _ => "",
    })
}

/// The unit of a figure of a table, of whichever axis.
fn unit_in<S: Measured<3>>(own: &str) -> Option<&'static str> {
    let is_it = |metric: &&Metric<S, 3>| match metric.value {
        Value::One(_) | Value::Observed(_) => metric.key == own,
        Value::ByAxis(_) => axis_names::<3>().iter().any(|axis| own == format!("{}_{axis}", metric.key)),
    };
    S::TABLE.iter().find(is_it).map(|metric| metric.unit)
}
