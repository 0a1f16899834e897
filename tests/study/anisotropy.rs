//! The pyramid's anisotropy and the convergence of the fixed-point iteration.

use stickslip::study::Study;

use crate::{number, rows};

#[test]
fn the_pyramid_is_off_by_what_its_geometry_says() {
    let report = Study::Anisotropy.run(1);
    let table = &report.table;
    let pyramids = rows(table, "what", "pyramid");
    let seen = [(4.0, 0.683, 41.6), (8.0, 0.350, 8.3), (16.0, 0.176, 2.0), (32.0, 0.079, 0.5)];
    assert_eq!(pyramids.len(), seen.len());
    for (row, (directions, error, overrun)) in pyramids.into_iter().zip(seen) {
        let value = |name| number(table, row, name);
        assert_eq!(value("directions"), directions);
        assert!(value("max_one_step_error") <= value("bound"), "k = {directions}");
        assert!((value("max_one_step_error") / value("law") - 1.0).abs() < 5e-3, "k = {directions}");
        assert!((value("max_one_step_error") / error - 1.0).abs() < 0.1, "k = {directions}");
        assert!(value("max_overrun_percent") <= overrun, "k = {directions}");
        assert!((value("max_overrun_percent") / value("overrun_law_percent") - 1.0).abs() < 0.02);
    }

    for row in rows(table, "what", "fixed point, free velocity") {
        assert_eq!(number(table, row, "right_percent"), 100.0);
        assert_eq!(number(table, row, "median_sweeps"), 1.0);
    }
    let elsewhere = rows(table, "what", "fixed point, any direction");
    let right: Vec<f64> = elsewhere.iter().map(|row| number(table, row, "right_percent")).collect();
    assert!((5.0..=20.0).contains(&right[0]), "sticking is found in {} %", right[0]);
    assert!(right[1] < 10.0, "below 2 h it converges in {} %", right[1]);
    assert_eq!(right[2], 100.0, "above 2 h it converges");
}

#[test]
fn there_are_pictures_of_path_hodograph_and_error() {
    let report = Study::Anisotropy.run(3);
    let names: Vec<&str> = report.figures.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["error-by-direction", "path", "hodograph"]);
    for (name, figure) in &report.figures {
        let curves = &figure.panels[0].curves;
        assert!(curves.len() >= 4, "{name}");
        assert!(curves.iter().all(|curve| curve.points.len() > 100), "{name}");
    }
}
