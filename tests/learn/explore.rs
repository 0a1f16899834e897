use crate::support::{learn, measure, parameter_error};
use std::time::Instant;

#[test]
fn show() {
    for sel in ["random", "saturated", "min"] {
        for seed in 0..10 {
            let t = Instant::now();
            let f = learn("linear-program", 30, seed, &[&format!("selection={sel}")]);
            println!(
                "LP {sel} {seed}: err {:e} unique {} {:?} {:?}",
                f.error,
                f.measures["unique"],
                f.measures["free_coefficients"],
                t.elapsed()
            );
        }
    }
    for seed in 0..3 {
        let t = Instant::now();
        let f = learn("linear-program", 20000, seed, &[]);
        println!("LP 20000: err {:e} {} {:?}", f.error, parameter_error(&f), t.elapsed());
    }
    let f = learn("linear-program", 300, 0, &["selection=saturated", "biases=false"]);
    println!("LP sat nobias: err {:e} {:?}", f.error, f.measures["free_coefficients"]);
    let f = learn("linear-program", 300, 0, &["fixed_entries=false", "eps=0.1"]);
    println!("LP eps: {:?} {:?}", f.measures, f.parameters.iter().map(|p| p.1.learned).collect::<Vec<_>>());
    let f = learn("linear-program", 300, 0, &["fixed_entries=false", "l1=0.1"]);
    println!("LP l1: {:?} {:?}", f.measures, f.parameters.iter().map(|p| p.1.learned).collect::<Vec<_>>());
    for sel in ["random", "saturated", "min"] {
        for biases in [false, true] {
            for seed in 0..3 {
                let t = Instant::now();
                let f = learn(
                    "structured",
                    300,
                    seed,
                    &[&format!("selection={sel}"), &format!("biases={biases}")],
                );
                let iv: Vec<_> = f
                    .parameters
                    .iter()
                    .map(|p| {
                        p.1.interval.map(|i| format!("{}:{:.3}[{:.3},{:.3}]", p.0, p.1.learned, i[0], i[1]))
                    })
                    .collect();
                if sel == "min" {
                    println!("SDP {iv:?}");
                }
                println!(
                    "SDP {sel} {biases} {seed}: err {:e} unique {} {:?} {:?}",
                    f.error,
                    f.measures["unique"],
                    f.measures["free_coefficients"],
                    t.elapsed()
                );
            }
        }
    }
    for sel in ["random", "saturated", "min"] {
        for seed in 0..5 {
            let f = learn("traditional", 30, seed, &[&format!("selection={sel}")]);
            println!(
                "trad {sel} {seed}: {:e} {:?} {:?} ev {}",
                f.error,
                f.measures["adam"],
                f.measures["free_coefficients"],
                measure(&f, "evaluations")
            );
        }
    }
    for rate in ["1e-3", "3e-3", "1e-2"] {
        for seed in 0..3 {
            let f = learn("traditional", 30, seed, &["adam_samples=10000", &format!("adam_rate={rate}")]);
            let g = learn("traditional", 30, seed, &["adam_samples=100000", &format!("adam_rate={rate}")]);
            println!("adam {rate}: {:?} {:?}", f.measures["adam"], g.measures["adam"]);
        }
    }
}
