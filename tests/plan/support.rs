use std::path::Path;

use stickslip::{
    plan::{PlanTask, Program, Sought, parse_plan, relaxation},
    scenario::Override,
    watch::Watch,
};

/// The task of a text.
pub fn task(text: &str) -> PlanTask {
    parse_plan("plan.toml", text, "plan", Path::new(""), &[]).unwrap_or_else(|error| panic!("{error}"))
}

/// What is said of a text that is refused.
pub fn refusal(text: &str, overrides: &[&str]) -> String {
    let overrides: Vec<Override> = overrides.iter().map(|one| one.parse().expect("an override")).collect();
    match parse_plan("plan.toml", text, "plan", Path::new(""), &overrides) {
        Ok(task) => panic!("it is taken: {task:?}"),
        Err(error) => error.to_string(),
    }
}

/// The costs of the plans that are found at the task's own number of steps, homotopy first; NaN where there is none.
pub fn costs(task: &PlanTask) -> Vec<f64> {
    let program = Program::new(task, Sought::Cost);
    let attempts = relaxation::try_all(&program, &Watch::none(), |attempt| {
        println!(
            "{} {}: {} after {} iterations, tau {:e}, cost {}, infeasible by {:e}",
            attempt.kind.as_str(),
            attempt.seed,
            attempt.status,
            attempt.work.iterations,
            attempt.relaxation,
            attempt.cost,
            attempt.infeasibility
        );
    });
    let found = attempts.expect("IPOPT starts").into_iter();
    found.map(|attempt| if attempt.point.is_some() { attempt.cost } else { f64::NAN }).collect()
}

/// The least of the costs.
pub fn best(task: &PlanTask) -> f64 {
    costs(task).into_iter().fold(f64::INFINITY, f64::min)
}

pub const PUSHED_POINT: &str = r#"
name = "p1"
steps = 20
duration = 1.0
starts = 2
[particle]
mass = 1.0
position = [0.0, 0.0]
velocity = [0.0, 0.0]
[ground]
friction = 0.3
[[control]]
force = [[-20, 20], 0]
[goal]
position = [1.0, nan]
velocity = [0.0, 0.0]
within = 0
"#;

pub const THROWN_POINT: &str = r#"
steps = 20
duration = 1.5
cost = "start"
starts = 2
[particle]
mass = 1.0
position = [0.0, 0.5]
velocity = [0.0, 0.0]
[ground]
friction = 0.3
[start]
velocity = [[-10, 10], [-10, 10]]
[goal]
position = [1.5, nan]
velocity = [0.0, 0.0]
within = 0
"#;

pub const ROLLED_DISC: &str = r#"
steps = 20
duration = 1.0
cost = "start"
starts = 2
[[body]]
shape = "disc"
size = 0.1
mass = 1.0
position = [0.0, 0.1]
velocity = [0.0, 0.0]
[ground]
friction = 0.2
[start]
velocity = [[-10, 10], 0]
spin = [-100, 100]
[goal]
position = [0.3, nan]
velocity = [-0.5, nan]
within = 0
"#;

pub const TIPPED_BOX: &str = r#"
steps = 20
duration = 1.0
starts = 4
[[body]]
name = "box"
shape = "box"
size = [0.4, 1.0]
mass = 3.0
position = [0.0, 0.5]
velocity = [0.0, 0.0]
[ground]
friction = 0.8
[[control]]
body = "box"
point = [-0.2, 0.5]
force = [[-40, 40], [-40, 40]]
[goal.box]
angle = -1.5707963267948966
velocity = [0.0, 0.0]
spin = 0.0
"#;

pub const PUSHED_BY_FINGER: &str = r#"
steps = 20
duration = 1.0
starts = 4
[[body]]
name = "box"
shape = "box"
size = [0.4, 0.4]
mass = 1.0
position = [0.0, 0.2]
velocity = [0.0, 0.0]
[[body]]
name = "finger"
shape = "disc"
size = 0.05
mass = 0.2
inertia = 1e9
position = [-0.35, 0.2]
velocity = [0.0, 0.0]
[ground]
friction = 0.3
[[push]]
body = "finger"
force = [0.0, 1.962]
[[control]]
body = "finger"
force = [[-40, 40], [-40, 40]]
[goal.box]
position = [0.5, nan]
velocity = [0.0, 0.0]
spin = 0.0
"#;
