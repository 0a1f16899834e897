//! Measurements from CSV files, and what is said about files that cannot be used.

use stickslip::{
    learn::data::{BlockGenerator, InvalidData, PointGenerator, read_block_csv, write_block_csv},
    predict::{Toss, read_recording},
};

use crate::support::{parameter, refusal, request_with_data, run};

fn text(write: impl Fn(&mut dyn std::io::Write) -> std::io::Result<()>) -> String {
    let mut bytes = Vec::new();
    write(&mut bytes).expect("a vector takes everything");
    String::from_utf8(bytes).expect("CSV is text")
}

#[test]
fn steps_survive_a_round_trip_to_the_last_bit() {
    let samples = BlockGenerator { noise: 0.1, ..BlockGenerator::default() }.generate(200, 5);
    let csv = text(|out| write_block_csv(&samples, out));
    assert!(csv.starts_with("v,u,v_next,lambda_plus,lambda_minus,gamma\n"));
    assert_eq!(read_block_csv("steps.csv", &csv), Ok(samples));
}

#[test]
fn steps_without_forces_survive_it_too() {
    let mut samples = BlockGenerator::default().generate(20, 5);
    samples.iter_mut().for_each(|sample| sample.lambda = None);
    let csv = text(|out| write_block_csv(&samples, out));
    assert!(csv.starts_with("v,u,v_next\n"));
    assert_eq!(read_block_csv("steps.csv", &csv), Ok(samples));
}

#[test]
fn throws_survive_a_round_trip_to_the_last_bit() {
    let throws = PointGenerator::default().generate(3, 5);
    let csv = text(|out| throws.write_point_csv(out));
    assert!(csv.starts_with("toss,t,x,z,vx,vz,contact\n"));
    let read = read_recording("throws.csv", &csv, false).expect("it was written to be read");
    assert_eq!(read.tosses.len(), throws.tosses.len());
    for (read, written) in read.tosses.iter().zip(&throws.tosses) {
        assert_eq!(read.number, written.number);
        let rows = |toss: &Toss<2>| -> Vec<_> {
            toss.states.iter().map(|row| (row.time, row.state, row.contact)).collect()
        };
        assert_eq!(rows(read), rows(written));
    }
}

#[test]
fn columns_may_come_in_any_order_with_comments_and_spaces() {
    let samples =
        read_block_csv("steps.csv", "# cart 2\nv_next , u, v\n 1.5, 2 ,0.5\n").expect("a good file");
    assert_eq!(read_block_csv("steps.csv", "\"v\",u,v_next\n\"0.5\",2,\"1.5\"\n"), Ok(samples.clone()));
    let [sample] = samples.as_slice() else { panic!("one row, {} samples", samples.len()) };
    assert_eq!((sample.velocity, sample.push, sample.next_velocity), (0.5, 2.0, 1.5));
}

#[track_caller]
fn assert_fault<T: std::fmt::Debug>(read: Result<T, InvalidData>, message: &str) {
    let message_given = read.expect_err("a bad file").to_string();
    assert!(message_given.contains(message), "{message_given}\ndoes not say\n{message}");
}

#[test]
fn a_bad_step_is_named_by_line_column_and_value() {
    let read = |rows: &str| read_block_csv("steps.csv", rows);
    assert_fault(
        read("v,u,v_next\n1,2,3\n1,fast,3\n"),
        "steps.csv: line 3, column `u`, value `fast`: this is not a number; write a number such as 0.25",
    );
    assert_fault(read("v,u,v_next\n1,,3\n"), "line 2, column `u`: the field is empty");
    assert_fault(read("v,u,v_next\n1,inf,3\n"), "line 2, column `u`, value `inf`: the value is not finite");
    assert_fault(read("v,u,v_next\n1,NaN,3\n"), "line 2, column `u`, value `NaN`: the value is not finite");
    assert_fault(
        read("v,u,v_next\n1,2e9,3\n"),
        "line 2, column `u`, value `2e9`: the magnitude is above 1e9",
    );
    assert_fault(
        read("v,u,v_next\n1,\"2,3\n4,5,6\n"),
        "line 2: a quote is opened and not closed on this line",
    );
    assert_fault(read("v,\"u,v_next\n1,2,3\n"), "line 1: a quote is opened and not closed");
    assert_fault(read("# c\nv,u,v_next\n1,\"2\"5,3\n"), "line 3: there is text behind a closing quote");
    assert_fault(read("v,u,v_next\n1,2\n"), "line 2, value `1,2`: the row has 2 fields, the header 3");
    assert_fault(read("v,u\n1,2\n"), "column `v_next` is missing; the header is `v,u,v_next`");
    assert_fault(read("v,u,v_next,w\n1,2,3,4\n"), "column `w`: there is no such column");
    assert_fault(read("v,u,u\n1,2,3\n"), "column `u`: there are two columns of this name");
    assert_fault(read(""), "steps.csv: the file is empty");
    assert_fault(read("v,u,v_next\n"), "there is a header but no row of data");
    assert_fault(
        read("v,u,v_next,lambda_plus,lambda_minus,gamma\n0,0,0,-0.5,0,0\n"),
        "line 2, column `lambda_plus`, value `-0.5`: solutions of a complementarity problem are not negative",
    );
}

#[test]
fn a_bad_throw_is_named_by_line_column_and_value() {
    let read =
        |rows: &str| read_recording::<2>("throws.csv", &format!("throw,t,x,z,vx,vz,contact\n{rows}"), false);
    assert_fault(
        read("0,0,0,1,0,0,0\n0,0.1,0,1,0,0,2\n"),
        "throws.csv: line 3, column `contact`, value `2`: a contact flag is 0 or 1",
    );
    assert_fault(
        read("0,0,0,1,0,0,0\n0,0,0,1,0,0,0\n"),
        "line 3, column `t`, value `0`: time does not increase",
    );
    assert_fault(
        read("0,0,0,1,0,0,0\n0,0.1,0,1,0,0,0\n1,0,0,1,0,0,0\n1,0.1,0,1,0,0,0\n0,0.2,0,1,0,0,0\n"),
        "line 6, column `throw`, value `0`: this throw has ended before",
    );
    assert_fault(read("0,0,0,1,0,0,0\n"), "line 2, column `throw`, value `0`: this throw has a single row");
}

#[test]
fn all_faults_of_a_file_are_told_at_once_up_to_ten() {
    let rows = "1,x,3\n".repeat(30);
    let error = read_block_csv("steps.csv", &format!("v,u,v_next\n{rows}")).expect_err("a bad file");
    assert_eq!(error.faults.len(), 10);
    assert_eq!((error.faults[0].line, error.faults[9].line), (Some(2), Some(11)));
    let rows = "x,x,x\n".repeat(30);
    let error = read_block_csv("steps.csv", &format!("v,u,v_next\n{rows}")).expect_err("a bad file");
    assert_eq!(error.faults.len(), 10, "three in every row");
}

#[test]
fn a_throw_may_have_any_number_and_minus_zero_is_zero() {
    let rows = "-0,0,0,1,0,0\n0,0.1,0,1,0,0\n7.5,0,0,1,0,0\n7.5,0.1,0,1,0,0\n";
    for title in ["throw", "toss"] {
        let file = format!("{title},t,x,z,vx,vz\n{rows}");
        let recording = read_recording::<2>("throws.csv", &file, false).expect("a good file");
        let throws: Vec<_> = recording.tosses.iter().map(|toss| (toss.number, toss.states.len())).collect();
        assert_eq!(throws, [(0.0, 2), (7.5, 2)]);
    }
}

#[test]
fn friction_is_learned_from_measured_steps_without_their_truth() {
    // s = 3, 2 and 0.5 at friction 0.8
    let (result, findings) =
        run(request_with_data("mpcc", "v,u,v_next\n1,2,2.2\n0.5,1.5,1.2\n0.5,0,0\n", &[]));
    assert_eq!(result.samples, 3);
    let friction = parameter(&findings, "friction");
    assert_eq!((friction.r#true, friction.identifiable), (None, true));
    assert!((friction.learned - 0.8).abs() < 1e-6, "{}", friction.learned);
}

#[test]
fn experiments_that_need_forces_refuse_steps_without_them() {
    for experiment in ["direct", "traditional", "structured", "linear-program"] {
        let refused =
            refusal(request_with_data(experiment, &format!("v,u,v_next\n{}", "1,2,2\n".repeat(40)), &[]));
        let expected = format!(
            "{experiment} learns from known forces, but the data have no columns lambda_plus, lambda_minus, gamma"
        );
        assert_eq!(refused.to_string(), expected);
    }
}

#[test]
fn throws_without_flags_need_to_be_told_where_contacts_come_from() {
    let mut throws = PointGenerator::default().generate(5, 1);
    throws.tosses.iter_mut().flat_map(|toss| &mut toss.states).for_each(|row| row.contact = None);
    let csv = text(|out| throws.write_point_csv(out));
    let refused = refusal(request_with_data("particle", &csv, &[])).to_string();
    assert!(
        refused.contains("the data have no column `contact`") && refused.contains("contacts=height"),
        "{refused}"
    );
    let (_, findings) = run(request_with_data("particle", &csv, &["contacts=height"]));
    assert!((parameter(&findings, "friction").learned - 0.4).abs() < 0.02);
}
