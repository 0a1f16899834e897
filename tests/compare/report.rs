use stickslip::{
    compare::{match_compliant, partings, report},
    report::Picture,
    stepper::StepperName,
    watch::Watch,
};

use crate::{compare, published, slide};

const LCP: StepperName = StepperName::LCP;
const LCP_FORWARD: StepperName = StepperName::LCP_FORWARD;
const LCP_MIXED: StepperName = StepperName::LCP_MIXED;
const LCP_BELBUTE_PERES: StepperName = StepperName::LCP_BELBUTE_PERES;
const HYBRID: StepperName = StepperName::HYBRID;
const SMOOTH: StepperName = StepperName::SMOOTH;
const EXACT: StepperName = StepperName::EXACT;

fn page() -> String {
    let matched = match_compliant(&slide(), &Watch::none()).unwrap();
    let mut scenario = matched.scenario.clone();
    scenario.name = "slide".to_owned();
    let comparison = compare(&scenario, &[HYBRID, SMOOTH, EXACT]);
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
        "Motion",
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
    // Addresses are named in licences and namespaces; none is fetched.
    for fetching in
        ["src=\"http", "href=\"http", "url(http", "@import", "fetch(\"http", "src=\"/", "href=\"/"]
    {
        assert!(!page.contains(fetching), "{fetching}");
    }
    assert!(page.contains("default-src 'none'"), "and the browser holds it to that");
    assert!(page.contains("data:image/svg+xml,&lt;svg/&gt;"));
    assert!(page.contains("A &lt;picture&gt;"));
    assert!(page.contains("Copyright (c) 2022 Leon Sorokin"), "the licence of uPlot");
}

/// The data of the page's figures, out of their compressed form.
fn data(page: &str) -> serde_json::Value {
    let (_, rest) = page.split_once("data-encoding=\"deflate\">").expect("data");
    let (text, _) = rest.split_once("</script>").expect("the end of the data");
    let bytes = base64::Engine::decode(&base64::prelude::BASE64_STANDARD, text).expect("base64");
    let json = miniz_oxide::inflate::decompress_to_vec_zlib(&bytes).expect("deflate");
    serde_json::from_slice(&json).expect("JSON")
}

#[test]
fn figures_show_what_was_simulated() {
    let comparison = compare(&slide(), &[HYBRID, SMOOTH, EXACT]);
    let page = report(&comparison, &partings(&comparison, 1e-3), 1e-3, None, &[], None);
    let motion = data(&page);
    let labels: Vec<&str> =
        motion["series"].as_array().expect("series").iter().filter_map(|one| one["label"].as_str()).collect();
    assert_eq!(labels, ["exact", "hybrid", "smooth"], "the exact motion first");
    let columns = motion["columns"].as_array().expect("columns");
    let numbers = |value: &serde_json::Value| -> Vec<f64> {
        value.as_array().expect("a list").iter().map(|one| one.as_f64().expect("a number")).collect()
    };
    let times = numbers(&motion["time"]);
    assert_eq!((times[0], *times.last().expect("times")), (0.0, 1.2));
    // Values are the exact ones plus a difference; together they are those of the trajectory.
    for entry in &comparison.entries {
        let series = &motion["series"]
            [labels.iter().position(|one| *one == entry.trajectory.stepper.as_str()).expect("it")];
        let track = entry.trajectory.track(0);
        let column = |name: &str| columns.iter().position(|one| one == name).expect("a column");
        for (name, value) in [
            (
                "z",
                (|state: &stickslip::model::State<2>| state.position[1])
                    as fn(&stickslip::model::State<2>) -> f64,
            ),
            ("vx", |state| state.velocity[0]),
        ] {
            let exact = numbers(&motion["series"][0]["values"][0][column(name)]);
            let given = numbers(&series["values"][0][column(name)]);
            for (place, &time) in times.iter().enumerate() {
                let k = (time / 1e-3).round() as usize;
                let shown = given[place] + if labels[0] == series["label"] { 0.0 } else { exact[place] };
                assert!((shown - value(&track.states[k])).abs() <= 1e-6, "{name} at {time} s: {shown}");
            }
        }
        // The impulse of all contact forces is that of the run.
        let forces = numbers(&series["values"][0][column("fz")]);
        let exact = numbers(&motion["series"][0]["values"][0][column("fz")]);
        let own = labels[0] == series["label"];
        let impulse: f64 = (0..forces.len())
            .map(|place| {
                (times[place + 1] - times[place]) * (forces[place] + if own { 0.0 } else { exact[place] })
            })
            .sum();
        let whole: f64 = track.steps.iter().map(|step| 1e-3 * step.force[1]).sum();
        assert!((impulse - whole).abs() <= 1e-4 * whole, "{impulse} N s, not {whole}");
    }
}

#[test]
fn page_says_who_was_left_out_and_why() {
    let comparison = compare(&slide(), &[HYBRID, LCP_FORWARD, LCP_MIXED, EXACT]);
    let page = report(&comparison, &partings(&comparison, 1e-3), 1e-3, None, &[], None);
    assert!(page.contains("<h2>Left out</h2>"));
    assert!(page.contains("<th>lcp:forward, lcp:mixed</th>"), "one row for one reason");
    assert!(page.contains("it slides a block on the ground, and the point starts at z = 1 m"));
}

#[test]
fn page_has_a_row_for_every_pair_that_parts_and_counts_the_others() {
    let names = [LCP, LCP_BELBUTE_PERES, HYBRID, SMOOTH, EXACT];
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
