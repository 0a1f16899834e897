use crate::support::{learn, request, run};

#[test]
fn show() {
    for (name, n) in [("bilevel", 1), ("soft-bilevel", 1), ("sticking-cost", 1)] {
        let t = std::time::Instant::now();
        let (r, _f) = run(request(name, Some(n), 0, &[]));
        println!("BI {} {:?}", serde_json::to_string_pretty(&r).unwrap(), t.elapsed());
    }
    let (r, _f) = run(request("sticking-cost", Some(1), 0, &["one_sided=false"]));
    println!("BI {}", serde_json::to_string(&r).unwrap());
    let (r, _f) = run(request("bilevel", Some(100), 0, &["starts=[0.2,3,5]"]));
    println!("BI {}", serde_json::to_string(&r).unwrap());
    for sel in ["random", "saturated", "min"] {
        let f = learn("linear-program", 30, 0, &[&format!("selection={sel}")]);
        println!(
            "LP {sel}: err {:e} unique {} {:?}",
            f.error, f.measures["unique"], f.measures["free_coefficients"]
        );
        for biases in [false, true] {
            let f = learn("structured", 300, 0, &[&format!("selection={sel}"), &format!("biases={biases}")]);
            println!(
                "SDP {sel} {biases} : err {:e} unique {} {:?}",
                f.error, f.measures["unique"], f.measures["free_coefficients"]
            );
        }
    }
    let t = std::time::Instant::now();
    let (r, _f) = run(request("noise", None, 0, &[]));
    println!("NOISE {} {:?}", serde_json::to_string(&r).unwrap(), t.elapsed());
}
