//! Searches that start from pushes of a file, such as those of another plan.

use std::{fs, path::Path};

use stickslip::{
    nlp::SolveStatus,
    plan::{
        FoundPlan, PlanTask, Program, Search, Slot, Sought, Work, WorstRow, given_start, parse_plan,
        read_plan,
        relaxation::{Attempt, Kind},
        search, write_pushes,
    },
    watch::Watch,
};
use tempfile::{TempDir, tempdir};

use super::support::{PUSHED_POINT, THROWN_POINT, TIPPED_BOX, task};

const FILE: &str = "pushes.csv";

/// A plan with the key at its top.
fn with_key(text: &str) -> String {
    format!("start_from = \"{FILE}\"\n{text}")
}

/// A folder with this file of pushes.
fn folder_with(pushes: &[u8]) -> TempDir {
    let folder = tempdir().expect("a temporary folder");
    fs::write(folder.path().join(FILE), pushes).expect("a file");
    folder
}

/// The task of a plan that starts from these pushes.
fn started(text: &str, pushes: &[u8]) -> PlanTask {
    let folder = folder_with(pushes);
    parse_plan("plan.toml", &with_key(text), "plan", folder.path(), &[])
        .unwrap_or_else(|error| panic!("{error}"))
}

/// What is said of such a plan, which is refused.
fn refusal(text: &str, pushes: &[u8]) -> String {
    let folder = folder_with(pushes);
    match parse_plan("plan.toml", &with_key(text), "plan", folder.path(), &[]) {
        Ok(_) => panic!("it is taken:\n{text}"),
        Err(error) => error.to_string(),
    }
}

fn searched(task: &PlanTask) -> Search {
    search(task, &Watch::none()).expect("IPOPT starts")
}

fn plan_of(search: &Search) -> &FoundPlan {
    &search.found.as_ref().expect("a plan").plan
}

/// The pushes of a plan as the program writes them.
fn pushes_of(search: &Search) -> Vec<u8> {
    let mut written = Vec::new();
    write_pushes(plan_of(search), &mut written).expect("memory");
    written
}

fn iterations(search: &Search) -> u32 {
    search.work().iter().map(|(_, work)| work.iterations).sum()
}

/// Searches a plan of `steps` from scratch, and from the pushes of the plan of 20 steps: costs and iterations of both.
fn from_scratch_and_from_pushes(text: &str, steps: usize) -> [(f64, u32); 2] {
    let pushes = pushes_of(&searched(&task(text)));
    let text = text.replacen("steps = 20", &format!("steps = {steps}"), 1);
    let both = [task(&text), started(&text, &pushes)].map(|task| searched(&task));
    let kinds = || both[1].attempts.iter().map(|attempt| attempt.kind);
    assert!(kinds().all(|kind| kind != Kind::Homotopy), "{:?}", kinds().collect::<Vec<_>>());
    let told = [0, 1].map(|which| (plan_of(&both[which]).cost, iterations(&both[which])));
    println!("{steps} steps: {told:?}");
    told
}

#[test]
fn a_plan_from_its_own_pushes_costs_the_same_after_fewer_iterations() {
    for text in [PUSHED_POINT.to_owned(), TIPPED_BOX.replace("starts = 4", "starts = 0")] {
        let [(scratch, many), (again, few)] = from_scratch_and_from_pushes(&text, 20);
        assert!(again <= scratch * (1.0 + 1e-6), "{again} for {scratch}");
        assert!(again >= scratch * 0.95, "{again} for {scratch}");
        assert!(few < many, "{few} for {many}");
    }
}

#[test]
fn a_plan_of_twice_the_steps_from_these_pushes_costs_the_same_after_fewer_iterations() {
    let [(scratch, many), (again, few)] = from_scratch_and_from_pushes(PUSHED_POINT, 40);
    assert!((again / scratch - 1.0).abs() < 1e-6, "{again} for {scratch}");
    assert!(few < many, "{few} for {many}");
}

/// The first start at each number of steps is the motion as it is, which of the pushes of a plan is that plan.
#[test]
fn the_motion_of_the_pushes_of_a_plan_is_that_plan() {
    for text in [PUSHED_POINT, TIPPED_BOX] {
        let text = text.replace("starts = 4", "starts = 0");
        let found = searched(&task(&text));
        let plan = plan_of(&found);
        let task = started(&text, &pushes_of(&found));
        let program = Program::new(&task, Sought::Cost);
        let x = given_start(&program, &Watch::none()).expect("pushes").expect("the simulator gets through");
        let motion = FoundPlan::of(&program, &x);
        let numbers =
            |states: &[Vec<[f64; 6]>]| states.iter().flatten().flatten().copied().collect::<Vec<_>>();
        let states = numbers(&motion.states).into_iter().zip(numbers(&plan.states));
        let pushes = motion.pushes.iter().flatten().flatten().zip(plan.pushes.iter().flatten().flatten());
        for (own, planned) in states.chain(pushes.map(|(own, planned)| (*own, *planned))) {
            assert!((own - planned).abs() < 2e-5, "{own} for {planned}");
        }
        let worst = WorstRow::of(&program, &x).expect("a row that is missed");
        assert!(worst.miss < 1e-4, "{worst:?}");
    }
}

/// A start that is free begins where it does without the key.
#[test]
fn the_duration_is_that_of_the_file_within_its_limits() {
    let text = PUSHED_POINT
        .replace("duration = 1.0", "duration = [0.5, 2.0]")
        .replace("[goal]", "[start]\nvelocity = [[0.5, 0.8], 0]\n[goal]");
    for (end, expected) in [(0.1_f64, 0.5), (0.7, 0.7), (3.0, 2.0)] {
        let file = format!("to,from,step,control-0.fx,control-0.fz,control-0.torque\n{end},0,0,4,0,0\n");
        let program = Program::new(&started(&text, file.as_bytes()), Sought::Cost);
        let x = given_start(&program, &Watch::none()).expect("pushes").expect("the simulator gets through");
        assert!(matches!(program.slots(0)[program.rows.layout().duration], Slot::Variable(_)));
        let motion = FoundPlan::of(&program, &x);
        assert_eq!(motion.duration, expected);
        // 1 m in the geometric mean of the limits, 1 s, is faster than it may be.
        assert!((motion.states[0][0][3] - 0.8).abs() < 1e-12, "{:?}", motion.states[0]);
        // After the end of the file nothing pushes, and what is beyond the duration is left out.
        let impulse: f64 = motion.pushes.iter().map(|pushes| pushes[0][0] * motion.step()).sum();
        assert!((impulse - 4.0 * end.min(expected)).abs() < 1e-9, "{impulse}");
    }
}

#[test]
fn pushes_of_other_steps_are_taken_by_their_mean() {
    let file = "step,from,to,control-0.fx,control-0.fz,control-0.torque\n0,0,0.25,8,0,0\n1,0.25,0.5,-4,0,0\n2,0.6,0.8,2,0,0\n";
    let task = started(PUSHED_POINT, file.as_bytes());
    let given = task.start_from.clone().expect("pushes");
    assert_eq!((given.windows.len(), given.end()), (3, 0.8));
    let in_steps = |steps: usize| -> Vec<f64> {
        let pushes = given.in_steps(&task.with_steps(steps), 1.0);
        pushes.iter().map(|pushes| (1e9 * pushes[0][0]).round() / 1e9).collect()
    };
    assert_eq!(in_steps(2), [2.0, 0.8]);
    assert_eq!(in_steps(4), [8.0, -4.0, 1.2, 0.4]);
    assert_eq!(in_steps(5), [8.0, -1.0, -2.0, 2.0, 0.0]);
}

const HEADER: &str = "step,from,to,control-0.fx,control-0.fz,control-0.torque\n";

#[test]
fn each_fault_of_the_file_is_told_with_its_line_and_what_to_do() {
    let rows = |rows: &str| format!("{HEADER}{rows}").into_bytes();
    let cases: [(Vec<u8>, &str, &str); 15] = [
        (Vec::new(), "the file is empty", "step,from,to,control-0.fx"),
        (HEADER.into(), "no row under the header", "give a row"),
        (
            b"t,fx,fz\n0,1,0\n".into(),
            "line 1, column `t`: there is no such push",
            "`step,from,to,control-0.fx",
        ),
        (
            HEADER.replace("torque\n", "torque,control-1.fx\n").into(),
            "line 1, column `control-1.fx`: there is no such push",
            "for each [[control]]",
        ),
        (
            b"# of a plan\nstep,from,to,control-0.fx\n".into(),
            "line 2, column `control-0.fz`: the column is missing",
            "in any order",
        ),
        (HEADER.replace("step", "to").into(), "column `to`: there are two columns", "in any order"),
        (
            rows("0,0,0.1,1,0\n"),
            "line 2, value `0,0,0.1,1,0`: the row has 5 fields, the header 6",
            "one field per column",
        ),
        (rows("0,0,0.1,1,0,0\n1,0.1,0.2,much,0,0\n"), "line 3, column `control-0.fx`, value `much`", "0.25"),
        (rows("0,0,0.1,inf,0,0\n"), "value `inf`: this is not a finite number", "0.25"),
        (rows("0,0,0.1,NaN,0,0\n"), "value `NaN`: this is not a finite number", "0.25"),
        (rows("0,-0.1,0.1,1,0,0\n"), "column `from`, value `-0.1`: it begins before 0 s", "order of time"),
        (
            rows("0,0,0.2,1,0,0\n1,0.1,0.3,1,0,0\n"),
            "line 3, column `from`, value `0.1`: it begins before 0.2 s",
            "order of time",
        ),
        (
            rows("0,0,0,1,0,0\n"),
            "column `to`, value `0`: it ends no later than it begins",
            "leave the row out",
        ),
        (
            rows("0,0,0.1,20.1,0,0\n"),
            "column `control-0.fx`, value `20.1`: it is not within [-20, 20] N",
            "more room",
        ),
        (
            rows("0,0,0.1,1,0.5,0\n"),
            "value `0.5`: it is not within 0 N, as `control[0].force` has it",
            "bring it there",
        ),
    ];
    for (file, place, remedy) in cases {
        let said = refusal(PUSHED_POINT, &file);
        assert!(
            said.contains("plan.toml:1:") && said.contains("`start_from` names") && said.contains(FILE),
            "{said}"
        );
        assert!(said.contains(place) && said.contains(remedy), "{place} {remedy}\n{said}");
    }
}

#[test]
fn several_faults_of_the_file_are_told_together() {
    let file = format!("{HEADER}0,0,0.1,much,0,0\n1,0.1,0.2,1,x,0\n");
    let said = refusal(PUSHED_POINT, file.as_bytes());
    assert!(said.contains("value `much`") && said.contains("value `x`"), "{said}");
}

#[test]
fn a_file_that_is_none_and_pushes_that_nothing_pushes_with_are_refused() {
    let missing = PUSHED_POINT.replace("name = \"p1\"", "");
    let folder = tempdir().expect("a temporary folder");
    let said = |text: &str| {
        let text = with_key(text);
        parse_plan("plan.toml", &text, "plan", folder.path(), &[]).expect_err("refused").to_string()
    };
    let told = said(&missing);
    assert!(
        told.contains("there is no such file") && told.contains("from the folder of the plan file"),
        "{told}"
    );
    fs::create_dir(folder.path().join(FILE)).expect("a folder");
    assert!(said(&missing).contains("it is no file"), "{}", said(&missing));
    assert!(said(THROWN_POINT).contains("there is no [[control]]"), "{}", said(THROWN_POINT));
    let wrong =
        parse_plan("plan.toml", &format!("start_from = 3\n{PUSHED_POINT}"), "plan", Path::new(""), &[]);
    let told = wrong.expect_err("refused").to_string();
    assert!(
        told.contains("`start_from` must be a string in quotes") && told.contains("pushes.csv"),
        "{told}"
    );
    assert!(refusal(PUSHED_POINT, b"step,from\n\xff\n").contains("not UTF-8"));
}

#[test]
fn the_file_is_looked_for_from_the_folder_of_the_plan() {
    let folder = folder_with(format!("{HEADER}0,0,1,3,0,0\n").as_bytes());
    let path = folder.path().join("plan.toml");
    fs::write(&path, with_key(PUSHED_POINT)).expect("a file");
    let task = read_plan(&path, &[]).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(task.start_from.expect("pushes").windows[0].pushes, [[3.0, 0.0, 0.0]]);
}

/// A push of 9e8 N has 1 kg at more than 1e9 m/s in the second second.
#[test]
fn pushes_that_the_simulator_does_not_get_through_are_refused_with_time_and_reason() {
    let text = PUSHED_POINT
        .replace("[[-20, 20], 0]", "[[-1e12, 1e12], 0]")
        .replace("duration = 1.0", "duration = 4.0");
    let said = refusal(&text, format!("{HEADER}0,0,1,0,0,0\n1,1,4,9e8,0,0\n").as_bytes());
    for words in ["plan.toml:1:", "`start_from` names", "step 10 at 2 s failed", "m/s", "smaller pushes"] {
        assert!(said.contains(words), "{words} in\n{said}");
    }
    let said = refusal(&text, format!("{HEADER}0,0,4,1e11,0,0\n").as_bytes());
    assert_eq!(said.matches("but must be at most 1e9 N").count(), 1, "{said}");
}

#[test]
fn where_the_limit_of_iterations_ends_all_starts_the_advice_names_the_key() {
    let attempt = |status: SolveStatus| Attempt {
        kind: Kind::Direct,
        steps: 10,
        seed: 1,
        status,
        work: Work::default(),
        relaxation: 1e-8,
        cost: 1.0,
        infeasibility: 0.0123,
        worst_row: None,
        point: None,
    };
    let search = |status: SolveStatus| Search {
        steps: 20,
        attempts: vec![attempt(status)],
        refinements: Vec::new(),
        found: None,
        aimed: None,
        nearest: None,
        finished: true,
    };
    let advice = search(SolveStatus::IterationLimit).advice(&task(PUSHED_POINT));
    for words in ["more `starts`", "fewer `steps`", "start_from = \"pushes.csv\""] {
        assert!(advice.contains(words), "{words} in {advice}");
    }
    let others = [(SolveStatus::IterationLimit, THROWN_POINT), (SolveStatus::Infeasible, PUSHED_POINT)];
    for (status, text) in others {
        let advice = search(status).advice(&task(text));
        assert!(advice.contains("more `starts`") && !advice.contains("start_from"), "{advice}");
    }
}
