//! `<body>` and what lies in it.

use nalgebra::{Isometry3, Matrix3};

use super::{Reader, compiler::FromGeoms, heed::heed};
use crate::{
    element::Element,
    fault::ImportError,
    mass::MassProperties,
    mechanism::{Kind, Link, WORLD},
    spelling::question,
};

/// Elements that are taken in a body.
const INSIDE: [&str; 7] = ["body", "frame", "geom", "joint", "freejoint", "site", "inertial"];

/// Where elements stand: the link, its axes as `<frame>`s around them have turned them, and the class they have.
#[derive(Clone, Copy)]
struct Around<'a> {
    link: usize,
    frame: Isometry3<f64>,
    class: Option<&'a str>,
    /// Whether the link weighs what its geoms do.
    weighs: bool,
}

/// The masses of the geoms of a link, and what `<inertial>` says.
#[derive(Default)]
struct Weights {
    inertial: Option<MassProperties>,
    geoms: Vec<MassProperties>,
}

impl Reader<'_> {
    /// All that is in `<worldbody>`.
    pub(super) fn world(&mut self, section: &Element) -> Result<(), ImportError> {
        let class = section.text("childclass");
        let around = Around { link: WORLD, frame: Isometry3::identity(), class, weighs: false };
        self.inside(section, around, &mut Weights::default())
    }

    fn inside(
        &mut self,
        parent: &Element,
        around: Around<'_>,
        weights: &mut Weights,
    ) -> Result<(), ImportError> {
        for element in &parent.children {
            match element.tag.as_str() {
                "body" => self.add_body(element, around)?,
                "frame" => {
                    heed(element, self.notes);
                    let frame = around.frame * self.compiler.pose(element)?;
                    let class = element.text("childclass").or(around.class);
                    self.inside(element, Around { frame, class, ..around }, weights)?;
                }
                "geom" => {
                    heed(element, self.notes);
                    let styled = self.defaults.styled(element, around.class)?;
                    weights.geoms.extend(self.add_geom(
                        &styled,
                        around.link,
                        &around.frame,
                        around.weighs,
                    )?);
                }
                "joint" | "freejoint" => self.add_joint(element, around.link, &around.frame, around.class)?,
                "site" => {
                    let styled = self.defaults.styled(element, around.class)?;
                    if let Some(name) = styled.text("name") {
                        let pose = around.frame * self.compiler.pose(&styled)?;
                        self.sites.insert(name.to_owned(), (around.link, pose));
                    }
                }
                "inertial" => {
                    heed(element, self.notes);
                    weights.inertial = Some(self.inertial(element)?.placed(&around.frame));
                }
                "camera" | "light" => {}
                "attach" | "replicate" | "composite" | "flexcomp" => {
                    let message = format!("<{}> makes bodies that are not in the file", element.tag);
                    let remedy = "save the compiled model by MuJoCo (mj_saveLastXML), and import that";
                    return Err(ImportError::new(&element.place, message, remedy));
                }
                tag => {
                    let why = format!("it has no counterpart{}", question(tag, INSIDE));
                    self.notes.left_out(&element.place, format!("<{tag}> of <body>"), why);
                }
            }
        }
        Ok(())
    }

    fn add_body(&mut self, element: &Element, around: Around<'_>) -> Result<(), ImportError> {
        heed(element, self.notes);
        let index = self.mechanism.links.len();
        let name = element.text("name").map(str::to_owned);
        if let Some(name) = &name
            && self.bodies.insert(name.clone(), index).is_some()
        {
            let message = format!("there are two bodies `{name}`, or it is the world");
            return Err(ImportError::new(&element.place, message, "give each body a name of its own"));
        }
        self.mechanism.links.push(Link {
            name,
            place: element.place.clone(),
            parent: around.link,
            pose: around.frame * self.compiler.pose(element)?,
            joints: Vec::new(),
            geoms: Vec::new(),
            mass: MassProperties::zero(),
            is_carrier: false,
        });
        let class = element.text("childclass").or(around.class);
        let mut weights = Weights::default();
        let weighs = match self.compiler.from_geoms {
            FromGeoms::Never => false,
            FromGeoms::WhereNoneIsGiven => !says_inertial(element),
            FromGeoms::Always => true,
        };
        let inner = Around { link: index, frame: Isometry3::identity(), class, weighs };
        self.inside(element, inner, &mut weights)?;
        let from_geoms = || MassProperties::sum(weights.geoms.iter().copied());
        let mass = match (self.compiler.from_geoms, weights.inertial) {
            (FromGeoms::WhereNoneIsGiven | FromGeoms::Never, Some(inertial)) => inertial,
            (FromGeoms::Never, None) => MassProperties::zero(),
            (FromGeoms::Always, _) | (FromGeoms::WhereNoneIsGiven, None) => from_geoms(),
        };
        let mass = mass.at_least(self.compiler.least_mass, self.compiler.least_inertia);
        let is_held = self.options.fixed_base;
        let link = &mut self.mechanism.links[index];
        link.mass = mass;
        if element.truth("mocap", false)? {
            link.joints.clear();
            self.notes.changed(
                &element.place,
                element.called(),
                "it stays where it is: nothing moves it from outside",
            );
        }
        if is_held && link.joints.iter().any(|joint| joint.kind == Kind::Free) {
            link.joints.clear();
            self.notes.changed(&element.place, element.called(), "--fixed-base holds it");
        }
        Ok(())
    }

    /// Mass properties that are given, in the axes of the body.
    fn inertial(&self, element: &Element) -> Result<MassProperties, ImportError> {
        let mass = element.number("mass")?.filter(|mass| *mass >= 0.0);
        let mass = mass.ok_or_else(|| element.wrong("mass", "a mass in kilograms that is not negative"))?;
        let inertia = match (element.vector::<3>("diaginertia")?, element.vector::<6>("fullinertia")?) {
            (_, Some([xx, yy, zz, xy, xz, yz])) => Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz),
            (Some(moments), None) => Matrix3::from_diagonal(&moments.into()),
            (None, None) => Matrix3::zeros(),
        };
        let own = MassProperties { mass, inertia, ..MassProperties::zero() };
        Ok(own.placed(&self.compiler.pose(element)?))
    }
}

/// Whether a body has an `<inertial>` of its own.
fn says_inertial(body: &Element) -> bool {
    let mut own = body.children.iter();
    own.any(|child| child.tag == "inertial" || child.tag == "frame" && says_inertial(child))
}
