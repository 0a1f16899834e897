//! Where the marks of an axis stand, and what they say.

/// A mark on an axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Tick {
    /// Where, in the units of the data.
    pub at: f64,
    /// What stands beside it; `None` for minor ticks.
    pub label: Option<String>,
}

/// Round multiples of 1, 2, 2.5 or 5 powers of ten in `low..=high`, at most `most` where that
/// leaves at least two.
pub(super) fn round_positions(low: f64, high: f64, most: usize) -> (f64, Vec<f64>) {
    positions(low, high, most, |_| true)
}

/// The same at whole numbers, for counts.
pub(super) fn whole_positions(low: f64, high: f64, most: usize) -> (f64, Vec<f64>) {
    positions(low, high, most, |step| step >= 1.0 && step.fract() == 0.0)
}

fn positions(low: f64, high: f64, most: usize, admits: impl Fn(f64) -> bool) -> (f64, Vec<f64>) {
    let power = 10f64.powi(((high - low) / most.max(2) as f64).log10().floor() as i32);
    // From fine to coarse: the first that is not too many. A coarse step may leave fewer than two.
    let steps = [0.1, 0.2, 0.25, 0.5, 1.0, 2.0, 2.5, 5.0, 10.0].map(|factor| factor * power);
    let admitted = steps.into_iter().filter(|&step| admits(step));
    let candidates: Vec<_> = admitted.map(|step| (step, multiples(low, high, step))).collect();
    let chosen = candidates.iter().position(|(_, positions)| positions.len() <= most);
    let considered = chosen.map_or(candidates.len(), |chosen| chosen + 1);
    let readable = candidates[..considered].iter().rfind(|(_, at)| at.len() >= 2);
    readable.cloned().unwrap_or((high - low, vec![low, high]))
}

fn multiples(low: f64, high: f64, step: f64) -> Vec<f64> {
    // A relative slack keeps a tick that sits on the end of the range through rounding.
    let first = (low / step - 1e-9).ceil();
    let last = (high / step + 1e-9).floor();
    let count = (last - first + 1.0).clamp(0.0, 64.0) as usize;
    (0..count).map(|k| (first + k as f64) * step + 0.0).collect()
}

/// The power of a thousand to take out of labels up to `magnitude`, as an exponent of ten.
pub(super) fn common_exponent(magnitude: f64) -> i32 {
    if magnitude == 0.0 || (0.01..1e4).contains(&magnitude) {
        0
    } else {
        3 * (magnitude.log10() / 3.0).floor() as i32
    }
}

/// A number with as many decimals as multiples of `step` need, with a true minus sign.
pub(super) fn decimal(value: f64, step: f64) -> String {
    let mut decimals = (-step.abs().log10().floor()).clamp(0.0, 12.0) as usize;
    // 2.5 needs one more decimal than its power of ten says.
    let scaled = step.abs() * 10f64.powi(decimals as i32);
    if (scaled - scaled.round()).abs() > 1e-6 {
        decimals += 1;
    }
    let text = format!("{value:.decimals$}");
    let is_zero = text.bytes().all(|byte| !(b'1'..=b'9').contains(&byte));
    match text.strip_prefix('-') {
        Some(rest) if is_zero => rest.to_owned(),
        Some(rest) => format!("−{rest}"),
        None => text,
    }
}

/// A power of ten as markup.
pub(super) fn power_of_ten(exponent: i32) -> String {
    let sign = if exponent < 0 { "−" } else { "" };
    format!("10^{{{sign}{}}}", exponent.abs())
}

/// Ticks of a logarithmic axis: labels at decades, at most `most`; the steps in between unlabelled.
pub(super) fn logarithmic(low: f64, high: f64, most: usize) -> Vec<Tick> {
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let inside = |value: f64| value >= low * (1.0 - 1e-9) && value <= high * (1.0 + 1e-9);
    let decades = (first..=last).filter(|&decade| inside(10f64.powi(decade))).count();
    let every = decades.div_ceil(most.max(1)).max(1) as i32;
    let mut ticks = Vec::new();
    for decade in first..=last {
        let base = 10f64.powi(decade);
        if inside(base) {
            let label = (decade.rem_euclid(every) == 0).then(|| power_of_ten(decade));
            ticks.push(Tick { at: base, label });
        }
        if every == 1 {
            let between = (2..10).map(|k| f64::from(k) * base).filter(|&value| inside(value));
            ticks.extend(between.map(|at| Tick { at, label: None }));
        }
    }
    ticks
}

/// A physical value with three significant digits and the prefix of its unit: `1.5 ms`.
pub(super) fn with_prefix(value: f64, unit: &str) -> String {
    const PREFIXES: [(f64, &str); 9] = [
        (1e9, "G"),
        (1e6, "M"),
        (1e3, "k"),
        (1.0, ""),
        (1e-3, "m"),
        (1e-6, "µ"),
        (1e-9, "n"),
        (1e-12, "p"),
        (1e-15, "f"),
    ];
    let magnitude = value.abs();
    let prefix = PREFIXES.iter().find(|(size, _)| magnitude >= size * (1.0 - 1e-9));
    match prefix {
        _ if value == 0.0 => format!("0 {unit}"),
        Some((size, name)) if magnitude < 1e12 => format!("{} {name}{unit}", significant(value / size, 3)),
        _ => format!("{value:.2e} {unit}").replace('-', "−"),
    }
}

/// A number rounded to significant digits, without trailing zeros.
pub(super) fn significant(value: f64, digits: usize) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let decimals = (digits as f64 - 1.0 - value.abs().log10().floor()).clamp(0.0, 12.0) as usize;
    let text = format!("{value:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_round_and_few() {
        assert_eq!(
            round_positions(0.0, 1.2, 7),
            (0.2, vec![0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0, 1.2000000000000002])
        );
        assert_eq!(round_positions(-0.07, 1.07, 4), (0.5, vec![0.0, 0.5, 1.0]));
        assert_eq!(round_positions(0.0, 157.0, 4).1, [0.0, 50.0, 100.0, 150.0]);
    }

    #[test]
    fn every_range_has_two_ticks_or_more() {
        for low in [-1e9, -3.7, 0.0, 1e-12, 0.9] {
            for span in [1e-12, 3e-5, 0.11, 1.0, 7.3, 1e9] {
                for most in 2..9 {
                    if span / f64::max(1.0, f64::abs(low)) < 1e-4 {
                        continue; // such an axis is drawn from an offset
                    }
                    let (_, positions) = round_positions(low, low + span, most);
                    assert!((2..=most + 2).contains(&positions.len()), "{low} {span} {most} {positions:?}");
                }
            }
        }
    }

    #[test]
    fn labels_have_the_decimals_of_the_step() {
        assert_eq!(decimal(0.30000000000000004, 0.1), "0.3");
        assert_eq!(decimal(-2.5, 2.5), "−2.5");
        assert_eq!(decimal(-1e-17, 0.5), "0.0");
        assert_eq!(decimal(150.0, 50.0), "150");
        assert_eq!(decimal(0.25, 0.25), "0.25");
    }

    #[test]
    fn units_take_prefixes() {
        assert_eq!(with_prefix(1e-3, "s"), "1 ms");
        assert_eq!(with_prefix(2.5e-4, "s"), "250 µs");
        assert_eq!(with_prefix(44.29447, "N s"), "44.3 N s");
        assert_eq!(with_prefix(0.0, "m"), "0 m");
    }

    #[test]
    fn decades_are_labelled_and_thinned() {
        let labels = |ticks: Vec<Tick>| ticks.into_iter().filter_map(|tick| tick.label).collect::<Vec<_>>();
        assert_eq!(labels(logarithmic(1e-3, 1e-1, 5)), ["10^{−3}", "10^{−2}", "10^{−1}"]);
        assert!(labels(logarithmic(1e-16, 1e2, 5)).len() <= 5);
    }
}
