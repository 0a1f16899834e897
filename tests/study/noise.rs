//! Sticking under noise.

use stickslip::study::Study;

use crate::{number, rows};

#[test]
fn sticking_under_noise_is_what_the_notes_saw_and_what_theory_says() {
    let report = Study::StickingNoise.run(1);
    let table = &report.table;
    let value = |row: &[_], name: &str| number(table, row, name);

    for row in rows(table, "disturbed", "M and q") {
        let (sigma, sticks) = (value(row, "sigma"), value(row, "sticks_percent"));
        if value(row, "push") == 0.0 && sigma <= 0.3 {
            assert!((24.7..=25.6).contains(&sticks), "sigma {sigma}: {sticks} %");
        } else if value(row, "push") == 0.0 {
            assert!(sticks < 25.3 && value(row, "unsolved_percent") > 1.0, "sigma {sigma}: {sticks} %");
            assert!(sigma < 3.0 || (20.0..23.0).contains(&sticks), "sigma {sigma}: {sticks} %");
        } else {
            assert_eq!(sticks, 0.0, "sigma {sigma}: never exactly");
            let nearly = value(row, "within_tolerance_percent");
            assert!((0.075..=0.115).contains(&nearly), "sigma {sigma}: {nearly} % within tolerance");
        }
    }
    for row in rows(table, "disturbed", "M") {
        assert_eq!(value(row, "sticks_percent"), 100.0);
    }
    for row in rows(table, "disturbed", "q") {
        assert!((24.7..=25.6).contains(&value(row, "sticks_percent")));
    }
}

#[test]
fn single_errors_matter_only_in_the_row_of_the_friction_at_work() {
    let report = Study::StickingNoise.run(2);
    let table = &report.table;
    let mut seen = 0;
    for name in ["M11", "M12", "M13", "M21", "M22", "M23", "M31", "M32", "M33", "q1", "q2", "q3"] {
        for row in rows(table, "disturbed", name) {
            let push = number(table, row, "push");
            let sticks = number(table, row, "sticks_percent");
            let expected = match (name, push > 0.0) {
                ("M22" | "q2", true) | ("M11" | "q1", false) => 0.0..=0.0,
                ("M12" | "q1", true) | ("M21" | "q2", false) => 40.0..=60.0,
                _ => 100.0..=100.0,
            };
            assert!(expected.contains(&sticks), "{name} under a push of {push}: {sticks} %");
            seen += 1;
        }
    }
    assert_eq!(seen, 24);
}
