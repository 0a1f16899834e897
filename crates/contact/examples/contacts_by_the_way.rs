//! Draws what becomes of a crate that slides over flush boxes, and of a ball that passes another one with half a millimetre
//! of air between: by the contacts at the start of each step, and by those of its way.
//!
//! `cargo run --release -p stickslip-contact --example contacts_by_the_way > output/gallery/contacts-by-the-way.svg`

use nalgebra::{Vector2, Vector3};
use stickslip_contact::{
    contact::{ContactModel, Solution, StewartTrinkle, StewartTrinkleSettings},
    world::{
        BodyPart, Demands, Impacts, Motion, Placement, Solid, StepProblem, Surface, TimeStepper, World,
        planar::{Body, Pose, Scene, Shape},
    },
};

/// Step in s.
const STEP: f64 = 1e-3;

type Motions = Vec<Motion<Pose, 3>>;

fn model() -> Box<dyn ContactModel<2, 3>> {
    Box::new(StewartTrinkle::new(StewartTrinkleSettings::default()))
}

fn body(shape: Shape, at: [f64; 2], velocity: [f64; 2], fixed: bool) -> Body {
    let pose = Pose::new(at[0], at[1], 0.0);
    Body { twist: Vector3::new(velocity[0], velocity[1], 0.0), fixed, ..Body::new(shape, 1.0, pose) }
}

/// Four flush boxes, and a crate that slides over them at 3 m/s.
fn seam() -> Scene {
    let square = || Shape::rectangle(1.0, 1.0).expect("a square");
    let mut bodies: Vec<_> = (0..4).map(|i| body(square(), [f64::from(i), 0.5], [0.0; 2], true)).collect();
    bodies.push(body(Shape::rectangle(0.3, 0.2).expect("a crate"), [0.0, 1.1], [3.0, 0.0], false));
    Scene::over_ground(bodies, Surface::new(0.0, 0.0), 9.81)
}

/// Two balls of a pool table, seen from above.
fn near_miss() -> Scene {
    let ball = || Shape::disc(0.028_575).expect("a ball");
    let bodies =
        vec![body(ball(), [-0.16, 1.057_65], [8.0, 0.0], false), body(ball(), [0.0, 1.0], [0.0; 2], false)];
    Scene::over_ground(bodies, Surface::new(0.06, 0.95), 0.0)
}

fn by_the_way(scene: &Scene, steps: usize) -> Motions {
    let mut stepper = TimeStepper::new(model(), Impacts::OneStage);
    let forces = vec![Vector3::zeros(); scene.bodies.len()];
    let mut motions = vec![scene.initial_motion()];
    for _ in 0..steps {
        let mut motion = motions[motions.len() - 1].clone();
        stepper.step(scene, &mut motion, &forces, STEP).expect("a solution");
        motions.push(motion);
    }
    motions
}

fn by_the_start(scene: &Scene, steps: usize) -> Motions {
    let (mut model, mut problem, mut solution) = (model(), StepProblem::default(), Solution::default());
    let forces = vec![Vector3::zeros(); scene.bodies.len()];
    let (posing, horizon, reach) = (model.posing(), model.horizon(STEP), model.reach());
    let demands =
        Demands { posing, acts_ahead: model.acts_ahead(), impacts: Impacts::OneStage, horizon, reach };
    let mut motions = vec![scene.initial_motion()];
    for _ in 0..steps {
        let mut motion = motions[motions.len() - 1].clone();
        problem.pose(scene, &motion, &forces, STEP, demands);
        solution.velocity.clone_from(&motion.velocities);
        solution.is_guess = false;
        model.solve(&problem.contact, &mut solution).expect("a solution");
        for (index, left) in solution.velocity.iter().enumerate() {
            let (pose, before) = (&motion.poses[index], &motion.velocities[index]);
            let carried = scene.carried(index, before, left, left, STEP);
            motion.poses[index] = scene.advance(index, pose, left, STEP);
            motion.velocities[index] = carried;
        }
        motions.push(motion);
    }
    motions
}

/// A part of the picture: where its origin is, and how many units a metre has.
struct View {
    origin: Vector2<f64>,
    scale: f64,
}

impl View {
    fn at(&self, point: Vector2<f64>) -> Vector2<f64> {
        self.origin + Vector2::new(point.x, -point.y) * self.scale
    }

    fn draw(&self, scene: &Scene, motions: &Motions, every: usize) {
        let last = motions.len() - 1;
        for (index, body) in scene.bodies.iter().enumerate() {
            let is_shown = |step: &usize| *step == last || !body.fixed && step.is_multiple_of(every);
            for step in (0..=last).filter(is_shown) {
                let share = step as f64 / last as f64;
                let style = match body.fixed {
                    true => "fill=\"#e4e4e4\" stroke=\"#8a8a8a\"".to_owned(),
                    false => format!(
                        "fill=\"none\" stroke=\"#1f5fa8\" stroke-opacity=\"{:.2}\"",
                        0.25 + 0.75 * share
                    ),
                };
                let solid = scene.solid(BodyPart::whole(index)).expect("bodies have shapes");
                self.outline(&solid, &scene.placement(&motions[step].poses[index]), &style);
            }
        }
    }

    fn outline(&self, solid: &Solid<'_, 2>, place: &Placement<2>, style: &str) {
        if solid.is_ball() {
            let centre = self.at(place.position);
            let radius = solid.radius * self.scale;
            println!("<circle cx=\"{:.2}\" cy=\"{:.2}\" r=\"{radius:.2}\" {style}/>", centre.x, centre.y);
            return;
        }
        let corners = solid.corners.iter().map(|corner| self.at(place.position + place.turn * corner));
        let points: Vec<String> = corners.map(|corner| format!("{:.2},{:.2}", corner.x, corner.y)).collect();
        println!("<polygon points=\"{}\" {style}/>", points.join(" "));
    }
}

/// The motions of a scene over so many steps.
type Steps = fn(&Scene, usize) -> Motions;

fn main() {
    println!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"760\" height=\"350\" viewBox=\"0 0 760 350\" \
         font-family=\"sans-serif\" font-size=\"13\">"
    );
    println!("<rect width=\"760\" height=\"350\" fill=\"white\"/>");
    let columns: [(&str, f64, Steps); 2] =
        [("contacts of the start of a step", 20.0, by_the_start), ("contacts by its way", 400.0, by_the_way)];
    for (title, left, motions) in columns {
        println!("<text x=\"{left}\" y=\"22\" font-weight=\"bold\">{title}</text>");
        let scene = seam();
        let of_seam = motions(&scene, 900);
        println!("<text x=\"{left}\" y=\"44\">a crate slides over flush boxes at 3 m/s, every 0.05 s</text>");
        View { origin: Vector2::new(left + 45.0, 230.0), scale: 85.0 }.draw(&scene, &of_seam, 50);
        let scene = near_miss();
        let of_miss = motions(&scene, 240);
        println!(
            "<text x=\"{left}\" y=\"268\">a ball passes another with 0.5 mm of air at 8 m/s, every 24 ms</text>"
        );
        View { origin: Vector2::new(left + 45.0, 485.0), scale: 170.0 }.draw(&scene, &of_miss, 24);
    }
    println!("</svg>");
}
