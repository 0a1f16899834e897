"""Towers, walls, heaps and chains by every contact model of this crate, MuJoCo and Drake; see `stacks`."""
