use std::{fs, path::Path};

use roxmltree::Document;
use stickslip::{
    plot,
    scenario::Scenario,
    simulate::simulate,
    stepper::{BuildStepper, StepperName},
};

use crate::scenes::{gallery, run, slide};

/// Width, height and RGB pixels of a PNG file.
fn decode_png(path: &Path) -> (u32, u32, Vec<u8>) {
    let file = std::io::BufReader::new(fs::File::open(path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!(info.color_type, png::ColorType::Rgb);
    (info.width, info.height, pixels)
}

#[test]
fn every_svg_is_well_formed_and_needs_no_font() {
    for (name, figure) in gallery() {
        let text = figure.to_svg().unwrap();
        let document = Document::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let root = document.root_element();
        assert_eq!(root.tag_name().name(), "svg", "{name}");
        let tags: Vec<_> = document.descendants().map(|node| node.tag_name().name().to_owned()).collect();
        for foreign in ["text", "tspan", "style", "image", "use"] {
            assert!(!tags.iter().any(|tag| tag == foreign), "{name} contains <{foreign}>");
        }
        assert!(!text.contains("font"), "{name} names a font");
        assert!(text.len() < 400_000, "{name} has {} bytes", text.len());
    }
}

#[test]
fn an_svg_says_in_words_what_it_shows() {
    let text = plot::history(&run(&slide(), StepperName::NLP)).to_svg().unwrap();
    let document = Document::parse(&text).unwrap();
    let title = document.descendants().find(|node| node.tag_name().name() == "title").unwrap();
    assert_eq!(title.text(), Some("slide: nlp, Δt = 1 ms"));
    let labels: Vec<_> = document.descendants().filter_map(|node| node.attribute("aria-label")).collect();
    for label in ["contact force", "impact (impulse)", "44.3 N s", " (m/s)", "λ"] {
        assert!(labels.contains(&label), "no text `{label}` among {labels:?}");
    }
}

/// Cubes that are painted from the back to the front, which is not the order of the file.
#[test]
fn the_legend_of_a_scene_in_space_has_the_bodies_in_their_order() {
    let mut text = "name = \"row\"\nstep = 1e-2\nduration = 0.1\n".to_owned();
    for (cube, [x, y]) in [[0.4, -0.5], [0.0, 0.5], [-0.4, 0.0], [0.0, -0.5]].into_iter().enumerate() {
        text += &format!(
            "[[body]]\nname = \"cube-{cube}\"\nshape = \"box\"\nsize = [0.2, 0.2, 0.2]\nmass = 1.0\n\
             position = [{x}, {y}, 0.5]\n"
        );
    }
    text += "[ground]\nfriction = 0.5\n";
    let scenario: Scenario<3> = text.parse().expect("a scenario");
    let mut stepper = scenario.stepper(StepperName::LCP).expect("it admits boxes");
    let figure = plot::path(&simulate(&scenario, stepper.as_mut()));
    let painted: Vec<&str> = figure.panels[0].areas.iter().map(|area| area.label.as_str()).collect();
    let painted: Vec<&str> = painted.into_iter().filter(|label| label.starts_with("cube")).collect();
    let svg = figure.to_svg().unwrap();
    let document = Document::parse(&svg).unwrap();
    let labels = document.descendants().filter_map(|node| node.attribute("aria-label"));
    let named: Vec<&str> = labels.filter(|label| label.starts_with("cube")).collect();
    let in_order = ["cube-0", "cube-1", "cube-2", "cube-3"];
    assert_eq!(named, in_order);
    assert_ne!(painted, in_order, "else this shows nothing");
}

#[test]
fn coordinates_of_an_svg_stay_inside_its_view() {
    let figure = plot::path(&run(&slide(), StepperName::NLP));
    let text = figure.to_svg().unwrap();
    let document = Document::parse(&text).unwrap();
    let view: Vec<f64> = document
        .root_element()
        .attribute("viewBox")
        .unwrap()
        .split(' ')
        .map(|n| n.parse().unwrap())
        .collect();
    let (mut starts, mut outside) = (0, 0);
    for path in document.descendants().filter_map(|node| node.attribute("d")) {
        for start in path.split('M').skip(1) {
            let end = start.find(|c: char| c.is_ascii_alphabetic()).unwrap();
            let point: Vec<f64> = start[..end].split(' ').map(|n| n.parse().unwrap()).collect();
            starts += 1;
            outside +=
                usize::from(!(0.0..=view[2]).contains(&point[0]) || !(0.0..=view[3]).contains(&point[1]));
        }
    }
    assert!(starts > 50 && outside == 0, "{outside} of {starts}");
}

#[test]
fn a_png_is_1440_pixels_wide_and_shows_something() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("history.png");
    let figure = plot::history(&run(&slide(), StepperName::NLP));
    figure.write_png(&path).unwrap();
    let (width, height, pixels) = decode_png(&path);
    let layout = figure.layout();
    assert_eq!((width, height), (1440, (layout.height * 3.6).round() as u32));
    let blue = pixels.chunks_exact(3).filter(|rgb| **rgb == [0, 114, 178]).count();
    let white = pixels.chunks_exact(3).filter(|rgb| **rgb == [255, 255, 255]).count();
    assert!(blue > 20_000, "{blue} pixels of curves");
    assert!(white as f64 > 0.8 * f64::from(width * height), "{white} pixels of paper");
    assert!(fs::metadata(&path).unwrap().len() < 600_000);
}

#[test]
fn the_same_trajectory_gives_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let files = ["a", "b"].map(|name| {
        let trajectory = run(&slide(), StepperName::NLP);
        let at = |kind: &str| folder.path().join(format!("{name}.{kind}"));
        plot::history(&trajectory).write_svg(&at("svg")).unwrap();
        plot::history(&trajectory).write_png(&at("png")).unwrap();
        plot::animation(&plot::Series::of_steppers(&[&trajectory]), &at("gif")).unwrap();
        ["svg", "png", "gif"].map(|kind| fs::read(at(kind)).unwrap())
    });
    assert!(files[0] == files[1]);
}

#[test]
fn a_folder_that_is_missing_is_named() {
    let figure = plot::path(&run(&slide(), StepperName::NLP));
    for error in [
        figure.write_svg(Path::new("/no/such/folder/path.svg")).unwrap_err(),
        figure.write_png(Path::new("/no/such/folder/path.png")).unwrap_err(),
    ] {
        assert!(error.to_string().contains("/no/such/folder/path."), "{error}");
    }
}

#[test]
fn a_figure_draws_on_backends_of_plotters_too() {
    /// Counts what it is asked to draw.
    #[derive(Default)]
    struct Counter {
        paths: usize,
        texts: usize,
    }
    impl plotters_backend::DrawingBackend for Counter {
        type ErrorType = std::convert::Infallible;
        fn get_size(&self) -> (u32, u32) {
            (800, 600)
        }
        fn ensure_prepared(&mut self) -> Result<(), plotters_backend::DrawingErrorKind<Self::ErrorType>> {
            Ok(())
        }
        fn present(&mut self) -> Result<(), plotters_backend::DrawingErrorKind<Self::ErrorType>> {
            Ok(())
        }
        fn draw_pixel(
            &mut self,
            _: (i32, i32),
            _: plotters_backend::BackendColor,
        ) -> Result<(), plotters_backend::DrawingErrorKind<Self::ErrorType>> {
            Ok(())
        }
        fn draw_path<S: plotters_backend::BackendStyle, I: IntoIterator<Item = (i32, i32)>>(
            &mut self,
            path: I,
            _: &S,
        ) -> Result<(), plotters_backend::DrawingErrorKind<Self::ErrorType>> {
            self.paths += path.into_iter().count().min(1);
            Ok(())
        }
        fn draw_text<S: plotters_backend::BackendTextStyle>(
            &mut self,
            text: &str,
            style: &S,
            _: (i32, i32),
        ) -> Result<(), plotters_backend::DrawingErrorKind<Self::ErrorType>> {
            let ((left, _), (right, _)) = style.layout_box(text).unwrap();
            assert!(right > left, "`{text}` has no width in the typeface registered with plotters");
            self.texts += 1;
            Ok(())
        }
    }
    let mut backend = Counter::default();
    plot::history(&run(&slide(), StepperName::NLP)).draw(&mut backend).unwrap();
    assert!(backend.paths > 50 && backend.texts > 50, "{} {}", backend.paths, backend.texts);
}
