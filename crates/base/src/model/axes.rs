/// Names of the coordinates: `x, z` in a vertical plane, `x, y, z` over a plane.
pub const fn axis_names<const D: usize>() -> &'static [&'static str] {
    match D {
        1 => &["z"],
        2 => &["x", "z"],
        _ => &["x", "y", "z"],
    }
}
