//! Maps of a value over two others.

use stickslip::plot::{Axis, Figure, Ladder, heat_map};

use crate::layout::complaints;

fn map(x: &Ladder, y: &Ladder, value: impl Fn(f64, f64) -> f64) -> Figure {
    let values: Vec<f64> =
        y.values.iter().flat_map(|y| x.values.iter().map(|x| value(*x, *y)).collect::<Vec<_>>()).collect();
    let maps = [("nlp".to_owned(), values.clone()), ("lcp".to_owned(), values)];
    let quantity = Axis::new("max_error_x", "m");
    Figure {
        panels: heat_map((x, "ground.friction", ""), (y, "step", "s"), &maps, quantity),
        ..Figure::new("friction-by-step: max_error_x")
    }
}

#[test]
fn maps_of_any_values_are_readable() {
    let even = Ladder::new((1..=8).map(|k| 0.05 * f64::from(k)));
    let log = Ladder::new([1e-4, 1e-3, 1e-2, 1e-1]);
    let values: [fn(f64, f64) -> f64; 6] = [
        |x, y| x * y,
        |_, _| 0.0,
        |_, _| 3e9,
        |x, _| x - 0.2,
        |x, y| if x > 0.2 { f64::NAN } else { y },
        |_, _| f64::INFINITY,
    ];
    for value in values {
        let figure = map(&even, &log, value);
        assert_eq!(complaints("map", &figure), [""; 0]);
        let svg = figure.to_svg().unwrap();
        roxmltree::Document::parse(&svg).unwrap();
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }
}

#[test]
fn the_colours_of_a_map_are_those_of_its_key() {
    let (x, y) = (Ladder::new([0.0, 1.0, 2.0]), Ladder::new([0.0, 1.0]));
    let figure = map(&x, &y, |x, y| x + y);
    let [maps @ .., key] = figure.panels.as_slice() else { panic!("no panels") };
    let at = |value: f64| {
        let cells = key.cells.iter().rev();
        cells.clone().find(|cell| cell.x.0 <= value).map(|cell| cell.colour).expect("a colour")
    };
    for (cell, value) in maps[0].cells.iter().zip([0.0, 1.0, 2.0, 1.0, 2.0, 3.0_f64]) {
        let (one, other) = (cell.colour, at(value.min(2.99)));
        let off = [one.0.abs_diff(other.0), one.1.abs_diff(other.1), one.2.abs_diff(other.2)];
        assert!(off.iter().all(|off| *off <= 4), "{value}: {one:?} {other:?}");
    }
}
