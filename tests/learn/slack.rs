use crate::support::{learn, parameter_error};

#[test]
fn nine_steps_determine_the_system_exactly() {
    for seed in 0..10 {
        let findings = learn("slack", 9, seed, &[]);
        println!("{} {}", findings.error, parameter_error(&findings));
    }
}
