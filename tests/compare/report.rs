use stickslip::{
    compare::{Picture, match_compliant, partings, report},
    stepper::StepperName::{Exact, Hybrid, Smooth},
};

use crate::{compare, slide};

fn page() -> String {
    let matched = match_compliant(&slide()).unwrap();
    let mut scenario = matched.scenario.clone();
    scenario.name = "slide".to_owned();
    let comparison = compare(&scenario, &[Hybrid, Smooth, Exact]);
    let picture =
        Picture { title: "A <picture>".to_owned(), media_type: "image/svg+xml", data: b"<svg/>".to_vec() };
    report(&comparison, &partings(&comparison, 1e-3), 1e-3, Some(&matched), &[picture])
}

#[test]
fn page_is_well_formed_and_complete() {
    let page = page();
    for heading in [
        "What each model does here",
        "Figures of merit",
        "Pictures",
        "Events of the exact motion",
        "Where the models part",
        "Matched settings",
        "Scenario",
    ] {
        assert!(page.contains(&format!("<h2>{heading}</h2>")), "{heading}");
    }
    for name in ["hybrid", "smooth", "exact"] {
        assert!(page.contains(&format!("<dt>{name}</dt>")));
    }
    assert!(page.contains("stepper.smooth.stiffness"));
    assert!(page.contains("position = [0.0, 1.0]"));
    // Every element that is opened is closed, in order.
    let body = &page[page.find("<body>").unwrap()..page.find("</body>").unwrap() + "</body>".len()];
    let well_formed = body.replace("\">\n<figcaption", "\"/>\n<figcaption");
    roxmltree::Document::parse(&well_formed).unwrap();
}

#[test]
fn page_needs_nothing_but_itself() {
    let page = page();
    assert!(!page.contains("http:") && !page.contains("https:"));
    assert!(!page.contains("<script"));
    assert!(page.contains("data:image/svg+xml;base64,PHN2Zy8+"));
    assert!(page.contains("A &lt;picture&gt;"));
}
