//! The numbers of rods, springs and joints that gradients are taken with respect to.

/// A number of a rod, a spring or a joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JointQuantity {
    /// `rod.N.length` in m.
    RodLength,
    /// `spring.N.length` in m.
    SpringLength,
    /// `spring.N.stiffness` in N/m.
    SpringStiffness,
    /// `spring.N.damping` in N s/m.
    SpringDamping,
    /// `joint.N.stiffness` in N m/rad or N/m.
    Stiffness,
    /// `joint.N.rest` in rad or m.
    Rest,
    /// `joint.N.damping` in N m s/rad or N s/m.
    Damping,
    /// `joint.N.friction` in N m or N.
    Friction,
    /// `joint.N.armature` in kg m^2 or kg.
    Armature,
    /// `joint.N.limits.END` in rad or m, with 0 for the lower end and 1 for the upper one.
    Limit(usize),
    /// `joint.N.restitution` at the limits.
    Restitution,
    /// `joint.N.drive.force` in N m or N, or in a row of it.
    DriveForce(Option<usize>),
    /// `joint.N.drive.position` in rad or m, or in a row of it.
    DrivePosition(Option<usize>),
    /// `joint.N.drive.velocity` in rad/s or m/s, or in a row of it.
    DriveVelocity(Option<usize>),
    /// `joint.N.drive.kp` in N m/rad or N/m.
    DriveStiffness,
    /// `joint.N.drive.kv` in N m s/rad or N s/m.
    DriveDamping,
    /// `joint.N.drive.limit` in N m or N.
    DriveLimit,
}

/// Where the value stands in a row `[time, value]` of a schedule.
const VALUE: usize = 1;

impl JointQuantity {
    /// The table and the key that it has in scenario files, and the places in the value.
    pub(super) fn key(self) -> (&'static str, &'static str, [Option<usize>; 2]) {
        let none = [None; 2];
        let in_row = |row: Option<usize>| [row, row.map(|_| VALUE)];
        match self {
            Self::RodLength => ("rod", "length", none),
            Self::SpringLength => ("spring", "length", none),
            Self::SpringStiffness => ("spring", "stiffness", none),
            Self::SpringDamping => ("spring", "damping", none),
            Self::Stiffness => ("joint", "stiffness", none),
            Self::Rest => ("joint", "rest", none),
            Self::Damping => ("joint", "damping", none),
            Self::Friction => ("joint", "friction", none),
            Self::Armature => ("joint", "armature", none),
            Self::Limit(end) => ("joint", "limits", [Some(end), None]),
            Self::Restitution => ("joint", "restitution", none),
            Self::DriveForce(row) => ("joint.drive", "force", in_row(row)),
            Self::DrivePosition(row) => ("joint.drive", "position", in_row(row)),
            Self::DriveVelocity(row) => ("joint.drive", "velocity", in_row(row)),
            Self::DriveStiffness => ("joint.drive", "kp", none),
            Self::DriveDamping => ("joint.drive", "kv", none),
            Self::DriveLimit => ("joint.drive", "limit", none),
        }
    }

    /// The quantity of that key.
    pub(super) fn of_key(table: &str, name: &str, places: [Option<usize>; 2]) -> Option<Self> {
        Self::with_first_place(places[0]).into_iter().find(|quantity| quantity.key() == (table, name, places))
    }

    /// All of a table, as far as they stand at this first place in their value or have none.
    fn with_first_place(place: Option<usize>) -> [Self; 17] {
        [
            Self::RodLength,
            Self::SpringLength,
            Self::SpringStiffness,
            Self::SpringDamping,
            Self::Stiffness,
            Self::Rest,
            Self::Damping,
            Self::Friction,
            Self::Armature,
            Self::Limit(place.unwrap_or_default()),
            Self::Restitution,
            Self::DriveForce(place),
            Self::DrivePosition(place),
            Self::DriveVelocity(place),
            Self::DriveStiffness,
            Self::DriveDamping,
            Self::DriveLimit,
        ]
    }

    /// Those that a rod, a spring or a joint has without schedules, by the name of their table.
    pub(super) fn of_table(table: &str) -> impl Iterator<Item = Self> + '_ {
        let upper = (table == "joint").then_some(Self::Limit(1));
        let is_of = move |quantity: &Self| quantity.key().0.split('.').next() == Some(table);
        Self::with_first_place(None).into_iter().filter(is_of).chain(upper)
    }

    /// Whether nothing acts where it is zero, and a negative value has no meaning.
    pub(super) fn begins_at_zero(self) -> bool {
        matches!(
            self,
            Self::SpringStiffness
                | Self::SpringDamping
                | Self::Stiffness
                | Self::Damping
                | Self::Friction
                | Self::Armature
                | Self::Restitution
                | Self::DriveStiffness
                | Self::DriveDamping
        )
    }
}
