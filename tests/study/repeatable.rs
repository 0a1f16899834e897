//! A study is made of its seed.

use stickslip::study::{Cell, Study, Table, UnknownStudy};

#[test]
fn the_same_seed_gives_the_same_table_and_another_seed_another_one() {
    let table = |seed| Study::SlidingBlock.run(seed).table;
    assert_eq!(table(5), table(5));
    assert_ne!(table(5), table(6));
}

#[test]
fn studies_are_named() {
    for study in Study::ALL {
        assert_eq!(study.as_str().parse::<Study>(), Ok(study));
    }
    assert_eq!("sliding".parse::<Study>(), Err(UnknownStudy { given: "sliding".to_owned() }));
}

#[test]
fn a_table_is_exact_in_csv_and_short_to_read() {
    let mut table = Table::new(["a", "name"]);
    table.rows.push(vec![(1.0 / 3.0).into(), "one, two".into()]);
    table.rows.push(vec![Cell::Empty, 2_u64.into()]);
    let mut csv = Vec::new();
    table.write_csv(&mut csv).unwrap();
    assert_eq!(String::from_utf8(csv).unwrap(), "a,name\n0.3333333333333333,\"one, two\"\n,2\n");
    assert_eq!(table.to_string(), "     a      name\n0.3333  one, two\n               2\n");
}
