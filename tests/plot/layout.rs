use stickslip::plot::{Figure, Layout, Rect, TextRole};

use crate::scenes::gallery;

fn whole(layout: &Layout) -> Rect {
    Rect { left: 0.0, top: 0.0, right: layout.width, bottom: layout.height }
}

/// Everything a reader would complain about.
pub fn complaints(name: &str, figure: &Figure) -> Vec<String> {
    let layout = figure.layout();
    let mut complaints = Vec::new();
    for (index, text) in layout.texts.iter().enumerate() {
        if !whole(&layout).contains(&text.rect) {
            complaints.push(format!("{name}: `{}` leaves the picture: {:?}", text.label, text.rect));
        }
        for other in &layout.texts[index + 1..] {
            if text.rect.overlaps(&other.rect) {
                complaints.push(format!("{name}: `{}` and `{}` overlap", text.label, other.label));
            }
        }
        for panel in &layout.panels {
            let is_inside = panel.frame.contains(&text.rect);
            if panel.frame.overlaps(&text.rect) && !(is_inside && text.role == TextRole::Note) {
                complaints.push(format!("{name}: `{}` covers a panel", text.label));
            }
        }
        if text.size < 5.0 {
            complaints.push(format!("{name}: `{}` is set in {}", text.label, text.size));
        }
    }
    for (index, panel) in layout.panels.iter().enumerate() {
        for other in &layout.panels[index + 1..] {
            if panel.frame.overlaps(&other.frame) {
                complaints.push(format!("{name}: panels overlap"));
            }
        }
        if layout.legend.is_some_and(|legend| legend.overlaps(&panel.frame)) {
            complaints.push(format!("{name}: the legend covers panel {index}"));
        }
        for (ruler, axis) in [(&panel.x, &figure.panels[index].x), (&panel.y, &figure.panels[index].y)] {
            let labels = ruler.ticks.iter().filter(|tick| tick.label.is_some()).count();
            let inside =
                ruler.ticks.iter().all(|tick| (-1e-6..=1.0 + 1e-6).contains(&ruler.fraction(tick.at)));
            let is_empty = figure.panels[index].curves.iter().all(|curve| curve.points.is_empty());
            // Numbers make a scale from two on; a name says what it says alone.
            let least = if axis.names.is_empty() { 2 } else { 1 };
            if !inside || (labels < least && !is_empty && !ruler.ticks.is_empty()) {
                complaints.push(format!("{name}: {labels} ticks on `{}`", ruler.heading));
            }
        }
    }
    if layout.legend.is_some_and(|legend| !whole(&layout).contains(&legend)) {
        complaints.push(format!("{name}: the legend leaves the picture"));
    }
    complaints
}

#[test]
fn nothing_overlaps_in_any_picture() {
    let complaints: Vec<_> = gallery().iter().flat_map(|(name, figure)| complaints(name, figure)).collect();
    assert!(complaints.is_empty(), "{complaints:#?}");
}

#[test]
fn every_axis_names_a_quantity_and_its_unit() {
    for (name, figure) in gallery() {
        for panel in figure.layout().panels {
            for heading in [panel.x.heading, panel.y.heading] {
                let is_pure = ["|*s*_{1}|", "|*s*_{2}|", "*λ*", ""].contains(&heading.as_str());
                assert!(is_pure || (heading.contains('(') && heading.ends_with(')')), "{name}: {heading}");
            }
        }
    }
}

#[test]
fn there_is_one_legend_with_every_label_once() {
    let (_, figure) = gallery().into_iter().find(|(name, _)| name == "history overlay").unwrap();
    let layout = figure.layout();
    let entries: Vec<_> = layout.texts.iter().filter(|text| text.role == TextRole::Legend).collect();
    let mut labels: Vec<_> = entries.iter().map(|text| text.label.as_str()).collect();
    assert_eq!(labels, ["exact", "nlp", "nlp:seed", "lcp", "lcp:anitescu", "convex", "hybrid", "smooth"]);
    labels.dedup();
    assert_eq!(labels.len(), 8);
    assert!(entries.iter().all(|text| layout.legend.unwrap().contains(&text.rect)));
}

#[test]
fn long_names_do_not_leave_the_picture() {
    let (_, mut figure) = gallery().swap_remove(0);
    figure.title = "a-scenario-with-a-name-that-goes-on-and-on-and-on".repeat(2);
    let panel = figure.panels.first_mut().unwrap();
    panel.curves[0].label =
        "a curve whose label is longer than the picture is wide, by far and away".repeat(2);
    panel.y.label = "a quantity of many words".into();
    let layout = figure.layout();
    assert!(layout.texts.iter().all(|text| whole(&layout).contains(&text.rect)));
}

#[test]
fn panels_over_one_time_axis_are_aligned() {
    for (name, figure) in gallery().into_iter().filter(|(_, figure)| figure.shared_x) {
        let layout = figure.layout();
        let first = &layout.panels[0];
        for panel in &layout.panels {
            assert_eq!(
                (panel.frame.left, panel.frame.right),
                (first.frame.left, first.frame.right),
                "{name}"
            );
            assert_eq!(panel.x, first.x, "{name}");
        }
    }
}
