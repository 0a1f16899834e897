use crate::support::learn;

#[test]
fn show() {
    for contacts in ["known", "height", "velocity"] {
        for n in [1, 3, 10] {
            let (mut sm, mut se, mut bm, mut be, mut un) = (0., 0., 0., 0., 0);
            let (mut cm, mut ce) = (0, 0);
            let k = 200;
            for seed in 0..k {
                let f = learn("particle", n, seed, &[&format!("contacts={contacts}")]);
                let m = &f.parameters[0].1;
                let e = &f.parameters[1].1;
                if !m.identifiable || !m.learned.is_finite() || !e.learned.is_finite() {
                    un += 1;
                    if seed < 30 {
                        println!("   {:?} mu {} e {}", f.notes, m.learned, e.learned);
                    }
                    continue;
                }
                let (dm, de) = (m.learned - 0.4, e.learned - 0.5);
                sm += dm * dm;
                se += de * de;
                bm += dm;
                be += de;
                cm += m.interval.map_or(0, |i| usize::from(i[0] <= 0.4 && 0.4 <= i[1]));
                ce += e.interval.map_or(0, |i| usize::from(i[0] <= 0.5 && 0.5 <= i[1]));
            }
            let c = (k - un) as f64;
            println!(
                "PART {contacts} {n}: rmse {:.4}/{:.4} bias {:.4}/{:.4} unident {un}/{k} cover {:.3}/{:.3}",
                (sm / c).sqrt(),
                (se / c).sqrt(),
                bm / c,
                be / c,
                cm as f64 / c,
                ce as f64 / c
            );
        }
    }
    for n in [1, 3] {
        for seed in 0..5 {
            let t = std::time::Instant::now();
            let f = learn("particle", n, seed, &["method=shooting"]);
            println!(
                "SHOOT {n} {seed}: {:?} {:?} rms {} {:?}",
                f.parameters[0].1,
                f.parameters[1].1,
                f.measures["residual_rms"],
                t.elapsed()
            );
        }
    }
}
