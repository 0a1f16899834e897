use super::{Report, Table};
use crate::{
    lcp::{InteriorPoint, Lcp, Lemke},
    plot::{Axis, Figure, Panel, Style, palette},
    random::Random,
    stepper::lcp::{
        BelbutePeres, BlockFormulation, DirectFormulation, MixedFormulation, TraditionalFormulation,
    },
};

/// Steps of each block, as many as the notes tried.
const STEPS: u64 = 30_000;
/// Steps shown in the picture.
const SHOWN: usize = 200;

/// A block, and how hard it is pushed, in multiples of its friction.
struct Block {
    name: &'static str,
    mass: f64,
    friction: f64,
    dt: f64,
    push: f64,
}

const BLOCKS: [Block; 4] = [
    Block { name: "unit", mass: 1.0, friction: 0.5, dt: 0.01, push: 2.0 },
    Block { name: "light, icy", mass: 1e-3, friction: 0.02, dt: 1e-3, push: 3.0 },
    Block { name: "heavy, rough", mass: 1e4, friction: 1.5, dt: 0.1, push: 1.2 },
    Block { name: "mostly sticking", mass: 10.0, friction: 0.8, dt: 1e-3, push: 1.02 },
];

/// Lemma 2.1 (`v+ v- = 0`), the summed-velocity identity (2.3.2, equation 2) and the agreement of
/// the formulations, each over random pushes.
pub(super) fn run(seed: u64) -> Report {
    let mut table = Table::new([
        "block",
        "steps",
        "sticking_percent",
        "max_product_of_parts",
        "max_identity_error",
        "traditional_differs",
        "mixed_differs",
        "belbute_peres_differs",
    ]);
    let mut figure = None;
    let mut random = Random::seeded(seed);
    for block in &BLOCKS {
        let mut measured = Measured::default();
        let mut parts = Vec::new();
        let mut velocity = 0.0;
        for _ in 0..STEPS {
            let h = block.friction * 9.81 * block.dt;
            let push = random.uniform(-1.0, 1.0) * block.push * block.friction * block.mass * 9.81;
            velocity = measured.step(velocity + push * block.dt / block.mass, h, &mut parts);
        }
        if figure.is_none() {
            figure = Some(picture(&parts, block));
        }
        table.rows.push(vec![
            block.name.into(),
            STEPS.into(),
            (100.0 * measured.sticking as f64 / STEPS as f64).into(),
            measured.product.into(),
            measured.identity.into(),
            measured.differs[0].into(),
            measured.differs[1].into(),
            measured.differs[2].into(),
        ]);
    }
    let findings = vec![
        "Lemma 2.1 holds: at every step one part of the velocity is exactly zero.".to_owned(),
        "The summed-velocity identity, and the other formulations, agree to rounding (differences in units of \
         max(|p|, mu g dt))."
            .to_owned(),
    ];
    Report {
        findings,
        table,
        figures: figure.map(|figure| ("parts".to_owned(), figure)).into_iter().collect(),
    }
}

/// What is measured over the steps of one block.
#[derive(Default)]
struct Measured {
    sticking: u64,
    product: f64,
    identity: f64,
    differs: [f64; 3],
}

/// The parts of the velocity, and the physical and the fictitious friction, of one step.
struct Parts {
    velocity: [f64; 2],
    friction: [f64; 2],
}

impl Measured {
    /// One step of every formulation; the new velocity.
    fn step(&mut self, p: f64, h: f64, parts: &mut Vec<Parts>) -> f64 {
        let solution = Lemke::default().solve(&DirectFormulation::problem(p, h));
        let [plus, minus] = [solution.z[0], solution.z[1]];
        let friction = [h - solution.w[1], h - solution.w[0]]; // lambda+, lambda-
        let velocity = plus - minus;
        let unit = p.abs().max(h);
        self.sticking += u64::from(velocity == 0.0);
        self.product = self.product.max(plus * minus);
        // v+ - v- = 2 p + lambda+ - lambda- in units of velocity
        let identity = velocity - (2.0 * p + friction[0] - friction[1]);
        self.identity = self.identity.max(identity.abs() / unit);
        for (differs, other) in self.differs.iter_mut().zip(others(p, h)) {
            *differs = differs.max((velocity - other).abs() / unit);
        }
        if parts.len() < SHOWN {
            parts.push(Parts { velocity: [plus, minus], friction });
        }
        velocity
    }
}

/// The velocity by the traditional formulation, the mixed one and that of Belbute-Peres.
fn others(p: f64, h: f64) -> [f64; 3] {
    let traditional = Lemke::default().solve(&TraditionalFormulation::problem(p, h));
    let mixed = Lemke::default().solve(&MixedFormulation::problem(p, h));
    // A normal impulse of 1 with friction h on it.
    let problem: Lcp<6> = BelbutePeres::problem(&[p, -1.0].into(), 0.0, h);
    let belbute_peres = InteriorPoint::default().solve(&problem);
    [
        TraditionalFormulation::velocity(&traditional, p),
        MixedFormulation::velocity(&mixed, p),
        -belbute_peres.z[0],
    ]
}

fn picture(parts: &[Parts], block: &Block) -> Figure {
    let curve = |value: &dyn Fn(&Parts) -> f64| {
        parts.iter().enumerate().map(|(k, parts)| [k as f64, value(parts)]).collect::<Vec<_>>()
    };
    let force = block.mass / block.dt;
    let mut figure = Figure::new("Direct formulation: parts of velocity and friction");
    figure.caption = "friction below zero is fictitious".to_owned();
    figure.shared_x = true;
    figure.panels = vec![
        Panel::new(Axis::new("step", ""), Axis::new("velocity", "m/s"))
            .height(130.0)
            .curve("*v*_{+}", curve(&|parts| parts.velocity[0]), Style::line(palette::BLUE))
            .curve("−*v*_{−}", curve(&|parts| -parts.velocity[1]), Style::line(palette::VERMILLION)),
        Panel::new(Axis::new("step", ""), Axis::new("friction", "N"))
            .height(130.0)
            .curve("*λ*_{+}", curve(&|parts| force * parts.friction[0]), Style::line(palette::SKY_BLUE))
            .curve("*λ*_{−}", curve(&|parts| force * parts.friction[1]), Style::line(palette::ORANGE)),
    ];
    figure
}
