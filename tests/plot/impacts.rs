use stickslip::{plot, stepper::StepperName};

use crate::scenes::{bounce, run, slide, stick_slip};

/// Normal impulse of the slide's impact: mass times the speed of the fall from 1 m.
const IMPULSE: f64 = 44.294;
/// Weight of the point in N.
const WEIGHT: f64 = 98.1;

#[test]
fn an_impact_is_shown_by_its_impulse_whatever_the_step() {
    for step in [1e-2, 1e-3, 1e-4] {
        let mut scenario = slide();
        scenario.step = step;
        let figure = plot::history(&run(&scenario, StepperName::LCP));
        let spikes = &figure.panels[5].spikes;
        assert_eq!(spikes.len(), 1, "dt = {step}");
        // Of first order, like the speed at which the discrete fall arrives.
        assert!((spikes[0].value - IMPULSE).abs() <= WEIGHT * step, "{}", spikes[0].value);
        assert!((spikes[0].x - 0.4515).abs() <= 2.0 * step);
        assert!((figure.panels[4].spikes[0].value + 0.1 * IMPULSE).abs() <= 0.1 * WEIGHT * step);
    }
}

#[test]
fn an_impact_does_not_crush_the_force_axis() {
    let trajectory = run(&slide(), StepperName::LCP);
    let peak = trajectory.bodies[0].steps.iter().map(|step| step.force[1]).fold(0.0, f64::max);
    assert!(peak > 100.0 * WEIGHT, "the impact is there: {peak} N");
    let layout = plot::history(&trajectory).layout();
    let normal = &layout.panels[5].y;
    assert!(normal.low < 0.0 && normal.high > 1.2 * WEIGHT && normal.high < 2.0 * WEIGHT, "{normal:?}");
    let tangential = &layout.panels[4].y;
    assert!(tangential.low < -0.12 * WEIGHT && tangential.low > -0.2 * WEIGHT, "{tangential:?}");
}

#[test]
fn every_bounce_is_marked_and_the_hardest_are_labelled() {
    let figure = plot::history(&run(&bounce(), StepperName::LCP));
    let values: Vec<_> = figure.panels[5].spikes.iter().map(|spike| spike.value).collect();
    assert_eq!(values.len(), 6);
    for pair in values.windows(2) {
        assert!(
            (pair[1] / pair[0] - 0.8).abs() < 0.02,
            "each bounce has 0.8 of the impulse before: {values:?}"
        );
    }
    let notes: Vec<_> = figure.layout().texts.into_iter().map(|text| text.label).collect();
    assert!(notes.contains(&"79.7 N s".to_owned()), "{notes:?}");
}

#[test]
fn forces_without_impact_are_shown_whole() {
    let figure = plot::history(&run(&stick_slip(), StepperName::LCP));
    assert!(figure.panels.iter().all(|panel| panel.spikes.is_empty()));
    let layout = figure.layout();
    let (tangential, normal) = (&layout.panels[4].y, &layout.panels[5].y);
    assert!(tangential.low < -15.0 && tangential.high > 15.0, "the push of 15 N is in: {tangential:?}");
    assert!(normal.low <= 0.0 && normal.high > WEIGHT);
}
