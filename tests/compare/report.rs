use stickslip::{
    compare::{Picture, match_compliant, partings, report},
    stepper::StepperName::{Exact, Hybrid, LcpBelbutePeres, LcpForward, LcpMixed, LcpStewartTrinkle, Smooth},
};

use crate::{compare, published, slide};

fn page() -> String {
    let matched = match_compliant(&slide()).unwrap();
    let mut scenario = matched.scenario.clone();
    scenario.name = "slide".to_owned();
    let comparison = compare(&scenario, &[Hybrid, Smooth, Exact]);
    let picture = Picture {
        title: "A <picture>".to_owned(),
        media_type: "image/svg+xml",
        data: b"<svg/>".to_vec(),
        is_close_up: false,
    };
    report(&comparison, &partings(&comparison, 1e-3), 1e-3, Some(&matched), &[picture], None)
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
        assert!(page.contains(&format!("<dt>{name}</dt>")), "{name}");
    }
    assert!(page.contains("stepper.smooth.stiffness"));
    assert!(page.contains("position = [0.0, 1.0]"));
    // Every element that is opened is closed, in order.
    let body = &page[page.find("<body>").unwrap()..page.find("</body>").unwrap() + "</body>".len()];
    roxmltree::Document::parse(body).unwrap();
}

#[test]
fn page_needs_nothing_but_itself() {
    let page = page();
    assert!(!page.contains("http:") && !page.contains("https:"));
    assert!(!page.contains("<script"));
    assert!(page.contains("data:image/svg+xml;base64,PHN2Zy8+"));
    assert!(page.contains("A &lt;picture&gt;"));
}

#[test]
fn page_says_who_was_left_out_and_why() {
    let comparison = compare(&slide(), &[Hybrid, LcpForward, LcpMixed, Exact]);
    let page = report(&comparison, &partings(&comparison, 1e-3), 1e-3, None, &[], None);
    assert!(page.contains("<h2>Left out</h2>"));
    assert!(page.contains("<th>lcp:forward, lcp:mixed</th>"), "one row for one reason");
    assert!(page.contains("it slides a block on the ground, and the point starts at z = 1 m"));
}

#[test]
fn page_has_a_row_for_every_pair_that_parts_and_counts_the_others() {
    let names = [LcpStewartTrinkle, LcpBelbutePeres, Hybrid, Smooth, Exact];
    let comparison = compare(&published(slide()), &names);
    let page = report(&comparison, &partings(&comparison, 5e-3), 5e-3, None, &[], None);
    for pair in ["lcp – smooth", "hybrid – smooth", "smooth – exact"] {
        assert!(page.contains(&format!("<th>{pair}</th>")), "{pair}");
    }
    assert!(!page.contains("<th>hybrid – exact</th>"));
    assert!(page.contains("The other 3 pairs stay within 5.00 mm of each other"), "lcp, hybrid, exact");
    assert!(page.contains("Of steppers that are alike only the first is listed"));
    assert!(page.contains("The same motion, to within rounding, comes from lcp:belbute-peres"));
}
