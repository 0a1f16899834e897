use std::io::{self, Write};

use super::{
    CsvWriter, Trajectory,
    fields::{Fields, quoted},
};
use crate::{
    model::axis_names,
    scenario::{Partner, Scenario},
    stepper::Contact,
};

/// The contacts of a run, step by step: as many rows to a step as there are contacts in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Contacts<const D: usize> {
    rows: Vec<Contact<D>>,
    /// Where the rows of each step end.
    ends: Vec<usize>,
}

impl<const D: usize> Default for Contacts<D> {
    fn default() -> Self {
        Self { rows: Vec::new(), ends: Vec::new() }
    }
}

impl<const D: usize> Contacts<D> {
    /// Adds the contacts of the next step.
    pub fn add_step(&mut self, contacts: &[Contact<D>]) {
        self.rows.extend_from_slice(contacts);
        self.ends.push(self.rows.len());
    }

    /// The contacts of step `k`; none if there is no such step.
    pub fn of_step(&self, k: usize) -> &[Contact<D>] {
        let Some(&end) = self.ends.get(k) else { return &[] };
        let begin = k.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.rows[begin..end]
    }

    /// Whether no step tells its contacts apart.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

/// Writes the contacts of a run as CSV: a row per step and contact.
///
/// Columns: `step,t`, the partners `first,second` (a body, `ground` or `wall-0`), the point in m, the
/// unit normal into the first, the `gap` in m at the start of the step, the normal force `fn` and the
/// tangential one in N on the first (in the plane `ft` along `(n_z, -n_x)`, in space a vector in the axes
/// of the world), the `mode`: open, slip or stick, and
/// `gap_end`, how far in m the two are apart at the end of the step, where the contact carries a force.
///
/// # Errors
/// Whatever `out` answers.
pub fn write_contacts_csv<const D: usize>(trajectory: &Trajectory<D>, out: impl Write) -> io::Result<()> {
    let mut writer = ContactWriter::new(&trajectory.scenario, out)?;
    (0..trajectory.steps.len()).try_for_each(|k| writer.rows(k, trajectory.contacts.of_step(k)))?;
    writer.flush()
}

/// Writes `contacts.csv` step by step, in the columns of [`write_contacts_csv`].
pub type ContactWriter<'a, const D: usize, W> = CsvWriter<ContactColumns<'a, D>, W>;

/// What the rows of `contacts.csv` are made of.
pub struct ContactColumns<'a, const D: usize> {
    scenario: &'a Scenario<D>,
    /// By number, as fields of CSV.
    bodies: Vec<String>,
    walls: Vec<String>,
    ground: String,
}

impl<'a, const D: usize, W: Write> ContactWriter<'a, D, W> {
    /// Writes the header.
    ///
    /// # Errors
    /// Whatever `out` answers.
    pub fn new(scenario: &'a Scenario<D>, out: W) -> io::Result<Self> {
        let axes = axis_names::<D>();
        let mut header = ["step", "t", "first", "second"].map(str::to_owned).to_vec();
        header.extend(
            ["", "n"].iter().flat_map(|prefix| axes.iter().map(move |axis| format!("{prefix}{axis}"))),
        );
        header.extend(["gap", "fn"].map(str::to_owned));
        if D == 2 {
            header.push("ft".to_owned());
        } else {
            header.extend(axes.iter().map(|axis| format!("ft{axis}")));
        }
        header.extend(["mode", "gap_end"].map(str::to_owned));
        let name = |partner| quoted(&scenario.partner_name(partner));
        let bodies = (0..scenario.bodies.len()).map(|body| name(Partner::Body(body))).collect();
        let walls = (0..scenario.walls.len()).map(|wall| name(Partner::Wall(wall))).collect();
        let ground = name(Partner::Ground);
        let columns = ContactColumns { scenario, bodies, walls, ground };
        Ok(Self { columns, fields: Fields::new(&header, out)? })
    }

    /// Writes the contacts of step `k`.
    ///
    /// # Errors
    /// Whatever the file answers.
    pub fn rows(&mut self, k: usize, contacts: &[Contact<D>]) -> io::Result<()> {
        let time = self.columns.scenario.time().at(k);
        for Contact { first, second, point, normal, gap, gap_end, force, mode } in contacts {
            self.fields.count(Some(k))?;
            self.fields.number(Some(time))?;
            self.fields.text(&self.columns.bodies[*first])?;
            self.fields.text(match *second {
                Partner::Body(body) => &self.columns.bodies[body],
                Partner::Wall(wall) => &self.columns.walls[wall],
                Partner::Ground | Partner::Stop { .. } => &self.columns.ground,
            })?;
            let along = force.dot(normal);
            let tangential = force - normal * along;
            for number in point.iter().chain(normal).chain([gap, &along]) {
                self.fields.number(Some(*number))?;
            }
            if D == 2 {
                self.fields.number(Some(tangential[0] * normal[1] - tangential[1] * normal[0]))?;
            } else {
                tangential.iter().try_for_each(|part| self.fields.number(Some(*part)))?;
            }
            self.fields.text(mode.as_str())?;
            self.fields.number(*gap_end)?;
            self.fields.end_row()?;
        }
        Ok(())
    }
}
