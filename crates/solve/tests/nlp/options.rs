use stickslip_solve::nlp::{Ipopt, IpoptError, IpoptOptions, NlpSolver, OptionValue};

use crate::programs::HockSchittkowski71;

fn refusal(name: &str, value: impl Into<OptionValue>) -> String {
    let mut options = IpoptOptions::default();
    options.set(name, value);
    let error: IpoptError = Ipopt::new(&HockSchittkowski71, &options).err().expect("the option is refused");
    error.to_string()
}

#[test]
fn unknown_names_are_refused_by_name() {
    for name in ["max_iterz", "", "tol\0"] {
        assert!(refusal(name, 1.0).contains(&format!("no option `{name}`")), "{name}");
    }
}

#[test]
fn wrong_kinds_and_values_out_of_range_are_refused_with_what_is_expected() {
    assert!(
        refusal("bound_push", "far")
            .contains("\"far\" is refused for the option `bound_push`, which takes a number")
    );
    assert!(refusal("bound_push", -1.0).contains("-1 is refused"));
    assert!(refusal("bound_push", f64::NAN).contains("NaN is refused"));
    assert!(refusal("max_soc", 1.5).contains("a whole number"));
    assert!(refusal("max_soc", -1).contains("-1 is refused"));
    assert!(refusal("nlp_scaling_method", "perhaps").contains("words"));
    assert!(refusal("nlp_scaling_method", 3).contains("a word"));
}

#[test]
fn names_that_the_solver_depends_on_are_reserved_with_the_reason() {
    assert!(refusal("tol", 1e-6).contains("set the field `tolerance`"));
    assert!(refusal("linear_solver", "ma27").contains("built in"));
    assert!(refusal("option_file_name", "ipopt.opt").contains("never from a file"));
}

#[test]
fn fields_out_of_range_are_refused() {
    let of = |options: IpoptOptions| Ipopt::<4, 2, _>::new(&HockSchittkowski71, &options).err();
    for tolerance in [0.0, -1.0, f64::NAN] {
        assert!(of(IpoptOptions { tolerance, ..IpoptOptions::default() }).is_some());
        assert!(of(IpoptOptions { cold_barrier: tolerance, ..IpoptOptions::default() }).is_some());
        assert!(of(IpoptOptions { warm_barrier: tolerance, ..IpoptOptions::default() }).is_some());
        assert!(of(IpoptOptions { warm_push: tolerance, ..IpoptOptions::default() }).is_some());
        assert!(of(IpoptOptions { residual_tolerance: tolerance, ..IpoptOptions::default() }).is_some());
    }
    assert!(of(IpoptOptions::default()).is_none());
}

#[test]
fn options_take_numbers_whole_numbers_words_and_switches() {
    let mut options = IpoptOptions::default();
    options
        .set("bound_push", 1)
        .set("max_soc", 2)
        .set("nlp_scaling_method", "none")
        .set("check_derivatives_for_naninf", true);
    let solver = Ipopt::new(&HockSchittkowski71, &options).expect("the options are valid");
    assert_eq!(solver.info(), ("IPOPT", "3.14.16"));
}
