//! `plan`: pushes and starts that bring bodies to a goal.

use std::path::Path;

use pyo3::{prelude::*, types::PyDict};
use stickslip::{
    plan::{
        PlanTask, Proof, Replay, Search, parse_plan, picture, plan_summary, read_plan, replay, search,
        write_plan, write_pushes, write_refinements, write_replays, write_starts,
    },
    plot::Figure,
    watch::Watch,
};

use crate::{
    compare::watched,
    error,
    scenario::{self, Given},
};

/// A search for a plan.
#[pyclass(frozen, module = "stickslip._stickslip")]
pub struct Planned {
    task: PlanTask,
    search: Search,
    replays: Vec<Replay>,
}

/// Searches pushes and starts that bring bodies to the goal of a plan file, and plays what was found.
#[pyfunction]
#[pyo3(signature = (task, *, set=None))]
pub fn plan(py: Python<'_>, task: &Bound<'_, PyAny>, set: Option<&Bound<'_, PyAny>>) -> PyResult<Planned> {
    let overrides = scenario::overrides(py, set)?;
    let task = match scenario::given(task, "a plan", ["<plan>", "<mapping>"])? {
        Given::Path(path) => read_plan(Path::new(&path), &overrides),
        Given::Text(name, text) => parse_plan(name, &text, "plan", Path::new(""), &overrides),
    };
    let task = task.map_err(|fault| error::invalid_scenario(py, &fault))?;
    let found = watched(py, |watch| {
        let search = search(&task, watch)?;
        let replays = search.found.as_ref().map(|found| replay(&found.plan, &Watch::none()));
        Ok((search, replays.unwrap_or_default()))
    })?;
    let (search, replays) = found.map_err(|fault: stickslip::nlp::IpoptError| {
        error::exception(py, "StickslipError", &fault.to_string(), &PyDict::new(py))
    })?;
    Ok(Planned { task, search, replays })
}

/// The text of a table.
fn csv(write: impl FnOnce(&mut dyn std::io::Write) -> std::io::Result<()>) -> PyResult<String> {
    let mut bytes = Vec::new();
    write(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[pymethods]
impl Planned {
    /// What the search and the replays came to, as JSON.
    fn summary(&self) -> String {
        plan_summary(&self.task, &self.search, &self.replays).to_string()
    }

    /// Whether lcp and nlp follow the plan to its goal, and it stays on the faces that it knows.
    #[getter]
    fn proved(&self) -> bool {
        self.search.found.as_ref().is_some_and(|found| {
            let proof = Proof::of(&found.plan, &self.replays, self.search.aimed.as_ref());
            found.off_face.is_none() && proof.is_followed && proof.is_at_goal
        })
    }

    /// The scenario that plays the plan, none if none was found.
    fn scenario(&self) -> Option<String> {
        self.search.found.as_ref().map(|found| found.plan.scenario().to_toml())
    }

    /// The texts of plan.csv, pushes.csv and replay.csv, none if no plan was found.
    fn tables(&self) -> PyResult<Option<[String; 3]>> {
        let Some(found) = &self.search.found else { return Ok(None) };
        let plan = &found.plan;
        Ok(Some([
            csv(|out| write_plan(plan, out))?,
            csv(|out| write_pushes(plan, out))?,
            csv(|out| write_replays(plan, &self.replays, out))?,
        ]))
    }

    /// The texts of starts.csv and refine.csv.
    fn attempts(&self) -> PyResult<[String; 2]> {
        Ok([csv(|out| write_starts(&self.search, out))?, csv(|out| write_refinements(&self.search, out))?])
    }

    /// A picture as SVG.
    fn svg(&self, py: Python<'_>, kind: &str) -> PyResult<String> {
        let Some(found) = &self.search.found else {
            return Err(error::input(py, "there is no plan to draw: none was found"));
        };
        let plan = &found.plan;
        let figure: Figure = match kind {
            "pushes" => picture::pushes(plan),
            "path" => picture::paths(plan, &self.replays),
            "modes" => picture::modes(plan, &self.replays),
            "starts" => picture::starts(plan, &self.search),
            other => {
                return Err(error::input(
                    py,
                    &format!("kind is {other:?}, but must be \"pushes\", \"path\", \"modes\" or \"starts\""),
                ));
            }
        };
        py.detach(|| figure.to_svg()).map_err(|fault| error::input(py, &fault.to_string()))
    }
}
