//! Figures for papers: their size in print, text that can be searched, data beside them.

use stickslip::{
    plot::{self, Figure, PrintSize},
    stepper::StepperName,
};

use crate::{
    layout::complaints,
    scenes::{eight_steppers, gallery, run, slide},
};

fn printed(width: f64, font: f64) -> Figure {
    let mut figure = plot::history(&run(&slide(), StepperName::NLP));
    figure.print = PrintSize { width, font };
    figure
}

/// The numbers of an entry of a PDF dictionary.
fn numbers(pdf: &str, key: &str) -> Vec<f64> {
    let start = pdf.find(key).unwrap_or_else(|| panic!("no {key}")) + key.len();
    let list = pdf[start..].trim_start_matches([' ', '[']);
    list[..list.find(']').unwrap()].split_whitespace().map(|number| number.parse().unwrap()).collect()
}

#[test]
fn a_pdf_is_as_wide_as_the_column_it_is_for() {
    for (width, points) in [(PrintSize::SINGLE_COLUMN, 249.449), (PrintSize::DOUBLE_COLUMN, 510.236)] {
        let figure = printed(width, 8.0);
        let pdf = String::from_utf8_lossy(&figure.to_pdf().unwrap()).into_owned();
        assert!(pdf.starts_with("%PDF-"));
        let page = numbers(&pdf, "/MediaBox");
        // To a thirty-second of a unit.
        assert!((page[2] - points).abs() < 0.03, "{page:?}");
        let layout = figure.layout();
        assert!((page[3] / page[2] - layout.height / layout.width).abs() < 1e-3);
    }
}

#[test]
fn the_text_of_a_pdf_is_text_in_an_embedded_part_of_the_typeface() {
    let figure = printed(88.0, 8.0);
    let bytes = figure.to_pdf().unwrap();
    let pdf = String::from_utf8_lossy(&bytes);
    for word in ["/Type0", "/CIDFontType2", "/FontFile2", "/ToUnicode", "+DejaVuSans", "/Title"] {
        assert!(pdf.contains(word), "no {word}");
    }
    // What a reader copies: the letters of the legend.
    for letter in "contact force".chars().filter(|letter| letter.is_alphabetic()) {
        assert!(pdf.contains(&format!("<{:04X}>", u32::from(letter))), "{letter} cannot be searched");
    }
    assert!(
        bytes.len() < 120_000,
        "{} bytes, both faces as a whole have 63,000 before the picture",
        bytes.len()
    );
    assert!(figure.to_pdf().unwrap() == bytes, "the same picture, the same bytes");
}

#[test]
fn every_picture_is_a_pdf() {
    for (name, figure) in gallery() {
        let bytes = figure.to_pdf().unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(bytes.ends_with(b"%%EOF") || bytes.ends_with(b"%%EOF\n"), "{name}");
    }
}

#[test]
fn larger_type_leaves_less_room_and_nothing_overlaps() {
    for (width, font) in [(88.0, 6.24), (88.0, 8.0), (180.0, 7.0), (180.0, 10.0), (60.0, 6.0)] {
        let figure = printed(width, font);
        assert_eq!(complaints(&format!("{width} mm, {font} pt"), &figure), [""; 0]);
        let layout = figure.layout();
        assert!((layout.width * font / 10.0 - width * 72.0 / 25.4).abs() < 1e-3);
    }
}

#[test]
fn the_usual_size_is_the_usual_picture() {
    assert_eq!(printed(PrintSize::SINGLE_COLUMN, PrintSize::FONT).layout().width, 400.0);
    let svg = printed(180.0, 8.0).to_svg().unwrap();
    assert!(svg.contains("width=\"180.000mm\""), "{}", &svg[..200]);
}

#[test]
fn the_data_of_a_map_are_its_cells() {
    let (x, y) = (plot::Ladder::new([0.1, 0.2]), plot::Ladder::new([1.0, 2.0]));
    let maps = [("nlp".to_owned(), vec![5.0, 6.0, f64::NAN, 8.0])];
    let panels = plot::heat_map((&x, "mu", ""), (&y, "v", "m/s"), &maps, plot::Axis::new("way", "m"));
    let mut bytes = Vec::new();
    plot::Figure { panels, ..plot::Figure::new("ways") }.write_csv(&mut bytes).unwrap();
    let rows = "1,mu,nlp: v (m/s),cell,,0,0.1,1,5\n\
                1,mu,nlp: v (m/s),cell,,1,0.2,1,6\n\
                1,mu,nlp: v (m/s),cell,,2,0.2,2,8\n";
    assert_eq!(
        String::from_utf8(bytes).unwrap(),
        format!("panel,across,up,kind,label,item,x,y,value\n{rows}")
    );
}

#[test]
fn the_data_of_a_picture_are_its_curves() {
    let trajectories = eight_steppers();
    let series = plot::Series::of_steppers(&trajectories.iter().collect::<Vec<_>>());
    let figure = plot::history_overlay(&series);
    let mut bytes = Vec::new();
    figure.write_csv(&mut bytes).unwrap();
    let mut csv = csv::Reader::from_reader(bytes.as_slice());
    assert_eq!(
        csv.headers().unwrap(),
        ["panel", "across", "up", "kind", "label", "item", "x", "y", "value"].as_slice()
    );
    let rows: Vec<csv::StringRecord> = csv.records().map(Result::unwrap).collect();
    let first: Vec<&csv::StringRecord> =
        rows.iter().filter(|row| &row[0] == "3" && &row[3] == "curve" && &row[4] == "nlp").collect();
    let curve = figure.panels[2].curves.iter().find(|curve| curve.label == "nlp").unwrap();
    assert_eq!((&first[0][1], &first[0][2]), ("t (s)", "vx (m/s)"));
    assert_eq!(first.len(), curve.points.len());
    for (row, point) in first.iter().zip(&curve.points) {
        assert_eq!([row[6].parse(), row[7].parse()], point.map(Ok));
    }
}
