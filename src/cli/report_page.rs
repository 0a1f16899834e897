//! The page that a command writes beside its tables and pictures.

use std::path::Path;

use stickslip::{
    atomic_file::write_atomically,
    plot::Figure,
    provenance::Provenance,
    report::{Motion, Page, Picture},
    stepper::{StepperName, UsedSettings},
};

use super::error::CliError;

/// The file of it.
pub const REPORT: &str = "report.html";

/// Pictures with what they show.
pub type Captioned<'a> = &'a [(&'a str, &'a Figure)];

/// What stands on the page.
pub struct Report<'a> {
    /// What it is about.
    pub title: String,
    /// A sentence on what was done.
    pub introduction: String,
    /// The motion, if there is one to play, and the pictures that stand in for it where scripts are off.
    pub motion: Option<(Motion, Captioned<'a>)>,
    /// Pictures with what they show.
    pub figures: Captioned<'a>,
    /// The one stepper, and the settings with which it worked.
    pub settings: Option<(StepperName, &'a UsedSettings)>,
    /// What the command prints.
    pub lines: &'a [String],
    /// Where it comes from.
    pub provenance: &'a Provenance,
}

impl Report<'_> {
    /// Writes it to `folder`.
    pub fn write(&self, folder: &Path) -> Result<(), CliError> {
        let mut page = Page::new(&self.title, &self.introduction);
        if let Some((motion, stand_ins)) = &self.motion {
            page.section("Motion");
            page.motion(motion);
            let picture = |(title, figure): &(&str, &Figure)| {
                Ok(Picture {
                    title: (*title).to_owned(),
                    media_type: "image/svg+xml",
                    data: figure.to_svg()?.into_bytes(),
                    is_close_up: false,
                })
            };
            let pictures: Result<Vec<Picture>, CliError> = stand_ins.iter().map(picture).collect();
            page.stand_ins(&pictures?);
        }
        for (title, figure) in self.figures {
            page.figure(title, figure)?;
        }
        page.section("Input");
        page.verbatim(&self.provenance.resolved);
        page.settings(self.settings.map(|(stepper, settings)| (stepper.as_str(), settings)));
        page.provenance("Result and provenance", Some(self.provenance), |page| {
            page.verbatim(&self.lines.join("\n"));
        });
        let html = page.finish();
        Ok(write_atomically(&folder.join(REPORT), |out| out.write_all(html.as_bytes()))?)
    }
}
