//! Bad input of `stickslip learn`: one fault per case.

use std::fs;

use crate::command_line::Workplace;

/// The words that tell a fault of `text`, given as the data of an experiment.
#[track_caller]
fn assert_data_refused(experiment: &str, text: &str, words: &[&str]) {
    let place = Workplace::new();
    place.write("data.csv", text);
    let mut words = words.to_vec();
    words.extend(["data.csv", "help: "]);
    place.assert_refused(&["learn", experiment, "--data", "data.csv"], &words);
}

const BLOCK: &str = "v,u,v_next\n1,2,2\n";
const FORCED: &str = "v,u,v_next,lambda_plus,lambda_minus,gamma\n";
const POINT: &str = "throw,t,x,z,vx,vz,contact\n";

#[test]
fn experiments_that_do_not_exist_are_refused() {
    let place = Workplace::new();
    place.assert_refused(&["learn"], &["EXPERIMENT", "Usage"]);
    place.assert_refused(&["learn", "bilevle"], &["bilevle", "a similar value exists: 'bilevel'"]);
    place.assert_refused(&["learn", "linear_program"], &["'linear-program'"]);
    place.assert_refused(&["learn", "friction"], &["friction", "possible values: direct, slack"]);
}

#[test]
fn numbers_of_samples_that_make_no_sense_are_refused() {
    let place = Workplace::new();
    place.write("data.csv", BLOCK);
    let samples = |number: &str, words: &[&str]| {
        place.assert_refused(&["learn", "slack", "--samples", number], words);
    };
    samples("0", &["0 samples are too few", "slack takes 2 to 1000000", "help: "]);
    samples("1", &["1 samples are too few", "2 to 1000000"]);
    samples("2000000", &["2000000 samples are too many", "1000000"]);
    samples("-3", &["'-3'", "whole number from 1 to 1000000"]);
    samples("1.5", &["'1.5'", "whole number"]);
    samples("many", &["'many'", "whole number"]);
    samples("99999999999999999999999", &["whole number"]);
    let seed = |value: &str| {
        let words = [format!("'{value}'"), "whole number, from 0 to 18446744073709551615".to_owned()];
        place.assert_refused(&["learn", "direct", "--seed", value], &words.each_ref().map(String::as_str));
    };
    seed("-1");
    seed("1e3");
    place.assert_refused(
        &["learn", "bilevel", "--data", "data.csv", "--samples", "3"],
        &["data.csv", "3 were asked for", "leave out --samples, or --data"],
    );
    place.assert_refused(
        &["learn", "particle", "--samples", "1000000", "--set", "step=1e-4"],
        &["1000000 throws", "at most 2e7", "fewer throws"],
    );
    place.assert_refused(&["learn", "slack", "--seed", "-1"], &["--seed"]);
}

#[test]
fn faulty_settings_are_refused() {
    let place = Workplace::new();
    let set = |experiment: &str, setting: &str, words: &[&str]| {
        let argument = format!("--set {setting}");
        let mut words = words.to_vec();
        words.extend([argument.as_str(), "help: "]);
        place.assert_refused(&["learn", experiment, "--set", setting], &words);
    };
    set("bilevel", "friction", &["no `KEY=`", "write KEY=VALUE"]);
    set("bilevel", "=3", &["no `KEY=`"]);
    set("bilevel", "frction=1", &["no setting `frction`", "did you mean `friction`?"]);
    set("bilevel", "colour=red", &["no setting `colour`", "its settings are friction, range"]);
    set("bilevel", "friction=-1", &["`-1` is not allowed", "a number above 0"]);
    set("bilevel", "friction=nan", &["`nan` is not allowed"]);
    set("bilevel", "friction=inf", &["`inf` is not allowed"]);
    set("bilevel", "friction=", &["`` is not allowed"]);
    set("bilevel", "friction=one", &["`one` is not allowed", "the default is 1"]);
    set("bilevel", "starts=[1,x]", &["`[1,x]` is not allowed", "a list such as [0.5, 2]"]);
    set("bilevel", "most_steps=2.5", &["a whole number"]);
    set("sticking-cost", "one_sided=yes", &["true or false"]);
    set("direct", "selection=most", &["one of min, saturated, random"]);
    set("bilevel", "hinge_weight=2", &["no setting `hinge_weight`"]);
    set("noise", "push=1.5", &["a number above 0 to 0.999"]);
    set("particle", "restitution=1.2", &["from 0 to 1"]);
    set("particle", "method=newton", &["one-step, shooting"]);
}

#[test]
fn all_faulty_settings_are_printed() {
    Workplace::new().assert_refused(
        &["learn", "bilevel", "--set", "friction=-1", "--set", "speed=3"],
        &["--set friction=-1", "--set speed=3"],
    );
}

#[test]
fn data_files_that_cannot_be_read_are_refused() {
    let place = Workplace::new();
    place.write("block.csv", BLOCK);
    place.write("empty.csv", "");
    fs::write(place.folder.path().join("latin.csv"), b"v,u,v_next\n# caf\xe9\n").expect("a writable folder");
    let data = |file: &str, words: &[&str]| {
        place.assert_refused(&["learn", "bilevel", "--data", file], words);
    };
    data("blok.csv", &["blok.csv: there is no such data file", "did you mean `block.csv`?"]);
    data("elsewhere/x.csv", &["elsewhere/x.csv", "there is no folder `elsewhere`"]);
    data(".", &["a directory", "block.csv"]);
    data("latin.csv", &["latin.csv", "not UTF-8", "line 2", "0xe9"]);
    data("empty.csv", &["empty.csv", "the file is empty", "`v,u,v_next`"]);
    data("block.csv/inner.csv", &["block.csv/inner.csv"]);
    #[cfg(target_os = "linux")]
    data("/proc/self/mem", &["/proc/self/mem", "cannot be read"]);
}

#[test]
fn headers_that_are_wrong_are_refused() {
    assert_data_refused("bilevel", "1,2,2\n3,1,3\n", &["line 1", "numbers where the names", "`v,u,v_next`"]);
    assert_data_refused("bilevel", "v;u;v_next\n1;2;2\n", &["line 1", "not separated by commas"]);
    assert_data_refused("bilevel", "v,u\n1,2\n", &["line 1", "column `v_next`", "missing"]);
    assert_data_refused("bilevel", "v,u,v,v_next\n1,2,3,4\n", &["column `v`", "two columns of this name"]);
    assert_data_refused("bilevel", "v,u,v_next,mass\n1,2,3,4\n", &["column `mass`", "no such column"]);
    assert_data_refused("bilevel", "# c\n\nv,w,v_next\n1,2,3\n", &["line 3", "column `w`"]);
    assert_data_refused("bilevel", "v,u,v_next\n", &["no row of data"]);
    assert_data_refused("direct", "v,u,v_next,gamma\n1,2,3,4\n", &["column `lambda_plus`", "missing"]);
    assert_data_refused("particle", BLOCK, &["column `v`", "no such column", "`toss,t,x,z,vx,vz`"]);
}

#[test]
fn values_that_are_no_measurements_are_refused_with_line_and_column() {
    for value in ["nan", "NaN", "inf", "-inf", "1e999"] {
        let text = format!("v,u,v_next\n1,2,2\n1,{value},2\n");
        assert_data_refused("bilevel", &text, &["line 3, column `u`", value, "not finite"]);
    }
    for (value, reason) in [("fast", "not a number"), ("1e12", "above 1e9"), ("1.2.3", "not a number")] {
        let text = format!("v,u,v_next\n1,2,2\n# a comment\n\n1,2,{value}\n");
        assert_data_refused("bilevel", &text, &["line 5, column `v_next`", value, reason]);
    }
    assert_data_refused("bilevel", "v,u,v_next\n1,,2\n", &["line 2, column `u`", "empty"]);
    assert_data_refused("bilevel", "v,u,v_next\n1,2\n", &["line 2", "2 fields, the header 3"]);
    assert_data_refused("bilevel", "v,u,v_next\n1,2,3,4\n", &["line 2", "4 fields, the header 3"]);
    assert_data_refused(
        "direct",
        &format!("{FORCED}1,2,2,0,-1,2\n"),
        &["line 2, column `lambda_minus`, value `-1`", "not negative"],
    );
}

#[test]
fn data_that_an_experiment_cannot_use_are_refused() {
    assert_data_refused("direct", &format!("{FORCED}1,2,2,0,1,2\n"), &["1 samples are too few", "18 to"]);
    assert_data_refused("linear-program", BLOCK, &["1 samples are too few"]);
    let steps = format!("v,u,v_next\n{}", "1,2,2\n".repeat(20));
    assert_data_refused("direct", &steps, &["known forces", "lambda_plus, lambda_minus, gamma"]);
    assert_data_refused("noise", BLOCK, &["takes no file"]);
    let throw = "throw,t,x,z,vx,vz\n1,0,0,1,1,0\n1,0.01,0,1,1,-0.1\n";
    assert_data_refused("particle", throw, &["no column `contact`", "contacts=height"]);
}

#[test]
fn throws_that_are_out_of_order_are_refused() {
    let throws =
        |rows: &str, words: &[&str]| assert_data_refused("particle", &format!("{POINT}{rows}"), words);
    throws("1,0,0,1,1,0,0\n", &["a single row"]);
    throws("1,0,0,1,1,0,0\n1,0,0,1,1,0,0\n", &["line 3, column `t`", "does not increase"]);
    throws(
        "1,0,0,1,1,0,0\n1,0.01,0,1,1,0,0\n1,0.03,0,1,1,0,0\n",
        &["line 4, column `t`, value `0.03`", "after 0.01 s before"],
    );
    throws(
        "1,0,0,1,1,0,0\n2,0,0,1,1,0,0\n1,0.01,0,1,1,0,0\n",
        &["line 4, column `throw`, value `1`", "ended before"],
    );
    throws("1,0,0,1,1,0,2\n", &["line 2, column `contact`, value `2`", "0 or 1"]);
}

#[test]
fn outputs_that_cannot_be_written_are_refused() {
    let place = Workplace::new();
    place.write("file", "a file, not a folder");
    place.assert_refused(&["learn", "bilevel", "--output", "file"], &["file", "--output"]);
}
