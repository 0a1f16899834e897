use std::io::{self, Write};

use super::{CsvWriter, Passage, Trajectory, fields::Fields};
use crate::{
    model::{axis_names, unwrapped},
    scenario::Scenario,
    world::{AxisLaw, Coordinate, Joint},
};

/// Writes the joints of a run as CSV: a row per step and joint.
///
/// Columns: `step,t,joint` (the kind and the number of the joint), `coordinate` and `rate` at `t_k` in rad and rad/s, of a slider
/// in m and m/s; the mean force of the step on the second body in N and its torque about the point of the joint in N m
/// (`fx,fz,torque`, in space `fx,fy,fz,tx,ty,tz`, axes of the world), all that the joint does; of that what `drive`, `friction`
/// and `limit` do along the coordinate; and the `gap` in m between the points at `t_k`. Of a joint without a coordinate the
/// columns of the coordinate are empty; force and torque are where impulses of the step are no forces: in the first two steps,
/// in an impact and in the two steps behind it.
///
/// # Errors
/// Whatever `out` answers.
pub fn write_joints_csv<const D: usize>(trajectory: &Trajectory<D>, out: impl Write) -> io::Result<()> {
    let mut writer = JointWriter::new(&trajectory.scenario, out)?;
    let mut outcome = Ok(());
    trajectory.for_each_passage(|passage| {
        if outcome.is_ok() {
            outcome = writer.rows(passage);
        }
    });
    outcome?;
    writer.flush()
}

/// Writes `joints.csv` step by step, in the columns of [`write_joints_csv`].
pub type JointWriter<'a, const D: usize, W> = CsvWriter<JointColumns<'a, D>, W>;

/// What the rows of `joints.csv` are made of.
pub struct JointColumns<'a, const D: usize> {
    scenario: &'a Scenario<D>,
    joints: Vec<Written<D>>,
}

/// A joint that is written.
struct Written<const D: usize> {
    name: String,
    joint: Joint<D>,
    /// The coordinate, what it is more in the file than in the world, and its last value.
    coordinate: Option<(Coordinate<D>, f64, f64)>,
}

impl<'a, const D: usize, W: Write> JointWriter<'a, D, W> {
    /// Writes the header.
    ///
    /// # Errors
    /// Whatever `out` answers.
    pub fn new(scenario: &'a Scenario<D>, out: W) -> io::Result<Self> {
        let mut header = ["step", "t", "joint", "coordinate", "rate"].map(str::to_owned).to_vec();
        header.extend(axis_names::<D>().iter().map(|axis| format!("f{axis}")));
        if D == 2 {
            header.push("torque".to_owned());
        } else {
            header.extend(axis_names::<D>().iter().map(|axis| format!("t{axis}")));
        }
        header.extend(["drive", "friction", "limit", "gap"].map(str::to_owned));
        let joints = scenario.joints.iter().enumerate().map(|(index, setup)| {
            let joint = setup.joint_in(scenario);
            let coordinate = joint.free.first().map(|coordinate| (*coordinate, setup.start, 0.0));
            Written { name: scenario.joint_name(index), joint, coordinate }
        });
        let columns = JointColumns { scenario, joints: joints.collect() };
        Ok(Self { columns, fields: Fields::new(&header, out)? })
    }

    /// Writes the joints at the start of a step, and what they did in it.
    ///
    /// # Errors
    /// Whatever the file answers.
    pub fn rows(&mut self, passage: &Passage<'_, D>) -> io::Result<()> {
        let Self { columns: JointColumns { scenario, joints }, fields } = self;
        let time = scenario.time().at(passage.index);
        let body = |body: usize| Some((passage.states[0].get(body)?, passage.attitudes[0].get(body)));
        for (Written { name, joint, coordinate }, forces) in joints.iter_mut().zip(passage.joints) {
            fields.count(Some(passage.index))?;
            fields.number(Some(time))?;
            fields.text(name)?;
            let has_coordinate = coordinate.is_some();
            match coordinate {
                None => [None; 2].into_iter().try_for_each(|empty| fields.number(empty))?,
                Some((coordinate, start, last)) => {
                    let mut value = joint.value(coordinate, body).unwrap_or(*last);
                    if coordinate.is_angle() {
                        value = unwrapped(value, *last);
                    }
                    *last = value;
                    fields.number(Some(value + *start))?;
                    fields.number(joint.rate(coordinate, body))?;
                }
            }
            let torques = if D == 2 { 1 } else { 3 };
            let parts = forces.force.iter().chain(forces.torque.iter().take(torques));
            parts.copied().try_for_each(|part| fields.number(Some(part).filter(|_| forces.is_settled)))?;
            for along in [forces.drive, forces.friction, forces.limit] {
                fields.number(Some(along).filter(|_| has_coordinate))?;
            }
            fields.number(gap(joint, body))?;
            fields.end_row()?;
        }
        Ok(())
    }
}

/// How far the points of a joint are from where it holds them, in m.
fn gap<'s, const D: usize>(
    joint: &Joint<D>,
    body: impl Fn(usize) -> Option<(&'s crate::model::State<D>, Option<&'s crate::model::Attitude>)>,
) -> Option<f64> {
    let held = joint.axes.iter().filter(|axis| axis.coordinate.is_length());
    held.filter_map(|axis| match axis.law {
        AxisLaw::Locked { at } => Some(joint.value(&axis.coordinate, &body).map(|value| value - at)),
        _ => None,
    })
    .try_fold(0.0_f64, |gap, miss| Some(gap.hypot(miss?)))
}
