//! Scenarios in the formats of other programs: MJCF, which MuJoCo reads, and SDF, which Gazebo and Drake read.
//!
//! What a format has no words for is left out and told, see [`Remark`]: in a comment of the file, and to whoever
//! asked for it. Planar scenes become spatial ones whose bodies are `DEPTH` of their size deep and move in the
//! plane `y = 0` only.

mod geometry;
mod mjcf;
mod scene;
mod sdf;
mod xml;

pub use scene::Remark;

use crate::scenario::AnyScenario;

/// Formats of scenes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// MJCF, the XML of MuJoCo.
    Mjcf,
    /// SDFormat 1.9, the XML of Gazebo and Drake.
    Sdf,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 2] = [Self::Mjcf, Self::Sdf];

    /// The word that commands use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Mjcf => "mjcf",
            Self::Sdf => "sdf",
        }
    }
}

/// A scene in another format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    /// The file.
    pub text: String,
    /// What it does not say as the scenario does.
    pub remarks: Vec<Remark>,
}

/// The scene of `scenario` in `format`.
pub fn export(scenario: &AnyScenario, format: Format) -> Exported {
    let scene = match scenario {
        AnyScenario::InPlane(scenario) => scene::of(scenario),
        AnyScenario::OverPlane(scenario) => scene::of(scenario),
    };
    match format {
        Format::Mjcf => mjcf::write(&scene),
        Format::Sdf => sdf::write(&scene),
    }
}
