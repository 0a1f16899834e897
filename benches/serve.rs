//! How long the live page waits for an answer: `slide` at 600 points by six families, over a connection that stays.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    path::Path,
    thread,
};

use criterion::{Criterion, criterion_group, criterion_main};
use stickslip::{
    scenario::read_scenario,
    serve::{LiveScenario, Server},
};

/// Asks for a path and gives the size of the answer.
fn ask(stream: &mut BufReader<TcpStream>, address: SocketAddr, path: &str) -> usize {
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n");
    stream.get_mut().write_all(request.as_bytes()).expect("a request is sent");
    let mut length = 0;
    let mut line = String::new();
    loop {
        line.clear();
        stream.read_line(&mut line).expect("an answer");
        if let Some(value) = line.strip_prefix("Content-Length: ") {
            length = value.trim().parse().expect("a length");
        }
        assert!(!line.starts_with("HTTP/1.1") || line.starts_with("HTTP/1.1 200"), "{line}");
        if line.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).expect("the whole answer");
    length
}

fn answers(criterion: &mut Criterion) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/scenarios/slide.toml");
    let scenario = read_scenario(file, &[]).expect("the example");
    let server = Server::bind(LiveScenario::new(scenario), 0).expect("a port");
    let address = server.address();
    thread::spawn(move || server.run(|| false));
    let mut stream = BufReader::new(TcpStream::connect(address).expect("a connection"));
    let mut group = criterion.benchmark_group("serve");
    group.sample_size(30);
    for (name, solver) in [("ipopt", "ipopt"), ("interior_point", "interior-point")] {
        let mut friction = 0.1;
        group.bench_function(format!("slide_600_points_six_families_{name}"), |bencher| {
            bencher.iter(|| {
                // As a slider that is dragged: no two questions are the same.
                friction = if friction > 0.9 { 0.1 } else { friction + 0.001 };
                let path =
                    format!("/curves?points=600&stepper.nlp.solver={solver}&ground.friction={friction}");
                ask(&mut stream, address, &path)
            });
        });
    }
    group.finish();
}

criterion_group!(benches, answers);
criterion_main!(benches);
