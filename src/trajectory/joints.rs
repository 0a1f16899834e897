use std::io::{self, Write};

use super::{CsvWriter, Passage, Trajectory, fields::Fields};
use crate::{
    model::{Attitude, State, axis_names, unwrapped},
    scenario::Scenario,
    stepper::ForcesAlong,
    world::{AxisLaw, Coordinate, Joint},
};

/// Writes the joints of a run as CSV: a row per step and joint.
///
/// Columns: `step,t,joint` (the kind and the number of the joint), `coordinate` and `rate` at `t_k` in rad and rad/s, of a slider
/// in m and m/s; the mean force of the step on the second body in N and its torque about the point of the joint in N m
/// (`fx,fz,torque`, in space `fx,fy,fz,tx,ty,tz`, axes of the world), all that the joint does; of that what `drive`, `friction`
/// and `limit` do along the coordinate; and the `gap` in m between the points at `t_k`. Of a joint without a coordinate the
/// columns of the coordinate are empty, and so are force and torque where impulses of the step are no forces: in the first two
/// steps, in an impact and in the two steps behind it. Where a joint of the scenario leaves a second coordinate free, it has columns
/// of its own behind these, `coordinate2,rate2,drive2,limit2`.
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
    /// Whether a joint has a second coordinate.
    has_second: bool,
}

/// A joint that is written.
struct Written<const D: usize> {
    name: String,
    joint: Joint<D>,
    coordinates: [Option<Followed<D>>; 2],
}

/// A coordinate that a joint leaves free.
struct Followed<const D: usize> {
    coordinate: Coordinate<D>,
    /// What it is more in the file than in the world.
    start: f64,
    last: f64,
}

impl<const D: usize> Followed<D> {
    /// Its value as files have it, full turns counted.
    fn value<'s>(
        &mut self,
        joint: &Joint<D>,
        body: impl Fn(usize) -> Option<(&'s State<D>, Option<&'s Attitude>)>,
    ) -> f64 {
        let mut value = joint.value(&self.coordinate, body).unwrap_or(self.last);
        if self.coordinate.is_angle() {
            value = unwrapped(value, self.last);
        }
        self.last = value;
        value + self.start
    }
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
        let has_second = scenario.joints.iter().any(|joint| joint.kind.second_coordinate().is_some());
        if has_second {
            header.extend(["coordinate2", "rate2", "drive2", "limit2"].map(str::to_owned));
        }
        let joints = scenario.joints.iter().enumerate().map(|(index, setup)| {
            let joint = setup.joint_in(scenario);
            let starts = [setup.start, setup.second.start];
            let coordinates = [0, 1].map(|free| {
                let coordinate = *joint.free.get(free)?;
                Some(Followed { coordinate, start: starts[free], last: 0.0 })
            });
            Written { name: scenario.joint_name(index), joint, coordinates }
        });
        let columns = JointColumns { scenario, joints: joints.collect(), has_second };
        Ok(Self { columns, fields: Fields::new(&header, out)? })
    }

    /// Writes the joints at the start of a step, and what they did in it.
    ///
    /// # Errors
    /// Whatever the file answers.
    pub fn rows(&mut self, passage: &Passage<'_, D>) -> io::Result<()> {
        let Self { columns: JointColumns { scenario, joints, has_second }, fields } = self;
        let time = scenario.time().at(passage.index);
        let body = |body: usize| Some((passage.states[0].get(body)?, passage.attitudes[0].get(body)));
        for (Written { name, joint, coordinates: [first, second] }, forces) in
            joints.iter_mut().zip(passage.joints)
        {
            fields.count(Some(passage.index))?;
            fields.number(Some(time))?;
            fields.text(name)?;
            let moving = |followed: &mut Option<Followed<D>>| match followed {
                None => [None; 2],
                Some(own) => [Some(own.value(joint, body)), joint.rate(&own.coordinate, body)],
            };
            for number in moving(first) {
                fields.number(number)?;
            }
            let torques = if D == 2 { 1 } else { 3 };
            let parts = forces.force.iter().chain(forces.torque.iter().take(torques));
            parts.copied().try_for_each(|part| fields.number(Some(part).filter(|_| forces.is_settled)))?;
            let ForcesAlong { drive, friction, limit } = forces.along[0];
            for along in [drive, friction, limit] {
                fields.number(Some(along).filter(|_| first.is_some()))?;
            }
            fields.number(gap(joint, body))?;
            if *has_second {
                for number in moving(second) {
                    fields.number(number)?;
                }
                let ForcesAlong { drive, limit, .. } = forces.along[1];
                for along in [drive, limit] {
                    fields.number(Some(along).filter(|_| second.is_some()))?;
                }
            }
            fields.end_row()?;
        }
        Ok(())
    }
}

/// How far the points of a joint are from where it holds them, in m.
fn gap<'s, const D: usize>(
    joint: &Joint<D>,
    body: impl Fn(usize) -> Option<(&'s State<D>, Option<&'s Attitude>)>,
) -> Option<f64> {
    let held = joint.axes.iter().filter(|axis| axis.coordinate.is_length());
    held.filter_map(|axis| match axis.law {
        AxisLaw::Locked { at } => Some(joint.value(&axis.coordinate, &body).map(|value| value - at)),
        _ => None,
    })
    .try_fold(0.0_f64, |gap, miss| Some(gap.hypot(miss?)))
}
