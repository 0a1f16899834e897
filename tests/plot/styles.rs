use stickslip::plot::{Axis, Figure, Panel, Series, Style};

use crate::scenes::eight_steppers;

#[test]
fn eight_steppers_are_told_apart_by_colour_and_by_dash() {
    let trajectories = eight_steppers();
    let series = Series::of_steppers(&trajectories.iter().collect::<Vec<_>>());
    for (k, one) in series.iter().enumerate() {
        for other in &series[k + 1..] {
            assert_ne!(one.style.colour, other.style.colour, "{} {}", one.label, other.label);
            let is_reference = one.style == Style::REFERENCE;
            assert!(is_reference || one.style.dash != other.style.dash, "{} {}", one.label, other.label);
        }
    }
}

#[test]
fn fifteen_curves_are_told_apart_by_colour_or_by_dash() {
    let styles: Vec<_> = (0..15).map(|index| Style::of_series(index, 15)).collect();
    for (k, one) in styles.iter().enumerate() {
        for other in &styles[k + 1..] {
            assert!((one.colour, one.dash) != (other.colour, other.dash), "{one:?} {other:?}");
        }
    }
}

#[test]
fn the_exact_solution_is_thinner_than_what_it_lies_on() {
    let trajectories = eight_steppers();
    let series = Series::of_steppers(&trajectories.iter().collect::<Vec<_>>());
    assert_eq!(series[0].label, "exact");
    assert_eq!(series[0].style, Style::REFERENCE);
    assert!(series[1..].iter().all(|one| one.style.width > 1.4 * Style::REFERENCE.width));
    assert!(series[1..].windows(2).all(|pair| pair[0].style.width > pair[1].style.width));
}

#[test]
fn of_curves_on_each_other_each_is_seen_and_the_exact_one_throughout() {
    let line = |slope: f64| (0..100).map(|k| [f64::from(k), slope * f64::from(k)]).collect::<Vec<_>>();
    let mut panel = Panel::new(Axis::time(), Axis::new("x", "m")).curve("exact", line(1.0), Style::REFERENCE);
    for index in 0..5 {
        panel = panel.curve(format!("model {index}"), line(1.0), Style::of_series(index, 5));
    }
    let figure = Figure { panels: vec![panel], ..Figure::new("five") };
    let svg = figure.to_svg().unwrap();
    let length = |stroke: &str, width: f64| {
        let pen = format!("<path stroke=\"{stroke}\" stroke-width=\"{}\"", (32.0 * width).round());
        let paths = svg.lines().filter(|text| text.starts_with(&pen));
        paths.map(|path| path.matches('M').count()).sum::<usize>()
    };
    for index in 0..5 {
        let style = Style::of_series(index, 5);
        let (red, green, blue) = style.colour;
        let parts = length(&format!("#{red:02x}{green:02x}{blue:02x}"), style.width);
        // A sample in the legend, and its share of the fifty stretches; dashes of a legend count too.
        assert!((9..=24).contains(&parts), "curve {index} has {parts} parts");
    }
    let exact: Vec<&str> = svg.lines().filter(|text| text.contains("stroke-width=\"26\"")).collect();
    let [exact] = exact.as_slice() else { panic!("{exact:?}") };
    assert_eq!(exact.matches('M').count(), 1, "the exact curve is one piece");
}

#[test]
fn colours_stay_apart_for_every_kind_of_colour_vision() {
    // Simulations of full protanopia, deuteranopia and tritanopia: Machado, Oliveira and Fernandes,
    // IEEE Trans. Vis. Comput. Graph. 15 (2009), on linear RGB.
    let deficiencies = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    ];
    let linear = |channel: u8| (f64::from(channel) / 255.0).powf(2.2);
    let seen = |matrix: &[[f64; 3]; 3], (red, green, blue): (u8, u8, u8)| {
        let colour = [linear(red), linear(green), linear(blue)];
        lab(matrix.map(|row| (0..3).map(|i| row[i] * colour[i]).sum::<f64>().clamp(0.0, 1.0)))
    };
    // 2.3 is the least difference that is seen side by side (CIE 1976).
    for (count, least) in [(4, 15.0), (7, 9.0)] {
        let styles: Vec<_> = (0..count).map(|k| Style::of_series(k, count)).collect();
        for matrix in &deficiencies {
            for (k, one) in styles.iter().enumerate() {
                for other in styles[k + 1..].iter().chain([&Style::REFERENCE]) {
                    let (a, b) = (seen(matrix, one.colour), seen(matrix, other.colour));
                    let difference = (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt();
                    assert!(difference > least, "{:?} {:?} {difference}", one.colour, other.colour);
                }
            }
        }
    }
}

/// Linear RGB as CIE L*a*b* under daylight.
fn lab(rgb: [f64; 3]) -> [f64; 3] {
    let to_xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]];
    let white = [0.9505, 1.0, 1.089];
    let f = |t: f64| if t > 0.008856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 };
    let at = |row: usize| f((0..3).map(|i| to_xyz[row][i] * rgb[i]).sum::<f64>() / white[row]);
    [116.0 * at(1) - 16.0, 500.0 * (at(0) - at(1)), 200.0 * (at(1) - at(2))]
}
