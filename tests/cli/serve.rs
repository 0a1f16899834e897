//! `stickslip serve`: the live page, and who is not answered.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::Value;
use stickslip::{
    scenario::{AnyScenario, Override, read_scenario},
    simulate::simulate,
    stepper::BuildStepper,
};

use crate::{Workspace, example};

/// A server of an example, which ends with it.
struct Served {
    child: Child,
    port: u16,
}

impl Served {
    fn new(scenario: &str) -> Self {
        Self::of(&example(scenario))
    }

    fn of(path: &str) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_stickslip"))
            .args(["serve", path])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let mut address = String::new();
        BufReader::new(child.stdout.take().expect("its output")).read_line(&mut address).expect("an address");
        let port = address.trim().strip_prefix("http://127.0.0.1:").and_then(|rest| rest.strip_suffix('/'));
        let port = port.unwrap_or_else(|| panic!("{address:?}")).parse().expect("a port");
        Self { child, port }
    }

    /// Sends bytes, and gives status and body of what comes back; status 0 where the server just hangs up.
    fn send(&self, bytes: &[u8]) -> (u16, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
        // The server may have hung up on the first bytes.
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        (status, answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default())
    }

    fn get(&self, target: &str) -> (u16, String) {
        let port = self.port;
        self.send(
            format!("GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n")
                .as_bytes(),
        )
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_page_loads_nothing_from_elsewhere_and_saves_what_it_shows() {
    let served = Served::new("slide.toml");
    let (status, page) = served.get("/");
    assert_eq!(status, 200);
    assert!(page.contains("<script src=\"/report.js\"") && page.contains("ground.friction"));
    for (path, word) in [("/report.js", "uPlot"), ("/report.css", ".legend")] {
        let (status, text) = served.get(path);
        assert!(status == 200 && text.contains(word), "{path}");
    }
    let (status, saved) = served.get("/scenario.toml?ground.friction=0.25");
    assert_eq!(status, 200);
    let slide = read_scenario(example("slide.toml"), &["ground.friction=0.25".parse().expect("an override")]);
    assert_eq!(saved, slide.expect("a scenario").to_toml());
    let (status, saved) = served.get("/scenario.toml?name=profile");
    assert!(status == 200 && saved.contains("profile"), "{saved}");
}

#[test]
fn a_scenario_that_a_plan_wrote_is_served() {
    let workspace = Workspace::new();
    let plan = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/plans/throw-to-spot.toml");
    workspace
        .stickslip(&[
            "plan",
            plan,
            "--no-plots",
            "--set",
            "name=throw",
            "--set",
            "steps=10",
            "--set",
            "starts=0",
        ])
        .assert()
        .success();
    let served = Served::of(workspace.path("output/throw/plan/plan.toml").to_str().expect("a path in UTF-8"));
    let (status, saved) = served.get("/scenario.toml");
    assert_eq!((status, saved.as_str()), (200, workspace.read("output/throw/plan/plan.toml").as_str()));
    let (status, body) = served.get("/curves?steppers=lcp,exact");
    assert_eq!(status, 200, "{body}");
}

#[test]
fn curves_are_those_of_the_library() {
    let served = Served::new("slide.toml");
    let (status, body) =
        served.get("/curves?ground.friction=0.2&step=2e-3&points=301&steppers=lcp,hybrid,exact");
    assert_eq!(status, 200, "{body}");
    let answer: Value = serde_json::from_str(&body).expect("JSON");
    let motion = &answer["motion"];
    let changes: Vec<Override> =
        ["ground.friction=0.2", "step=2e-3"].map(|one| one.parse().expect("an override")).into();
    let AnyScenario::InPlane(scenario) = read_scenario(example("slide.toml"), &changes).expect("a scenario")
    else {
        panic!("slide is a motion in a plane");
    };
    let number = |value: &Value| value.as_f64().expect("a number");
    let times = motion["time"].as_array().expect("times");
    let series = motion["series"].as_array().expect("series");
    assert_eq!(series.len(), 3);
    for one in series {
        let name = one["label"].as_str().expect("a label");
        let mut stepper = scenario.stepper(name.parse().expect("a stepper")).expect("it admits the scenario");
        let trajectory = simulate(&scenario, stepper.as_mut());
        for (place, time) in times.iter().enumerate() {
            let k = (number(time) / 2e-3).round() as usize;
            let exact = number(&series[0]["values"][0][0][place]);
            let shown = number(&one["values"][0][0][place]) + if name == "exact" { 0.0 } else { exact };
            let own = trajectory.bodies[0].states[k].position[0];
            assert!((shown - own).abs() < 1e-8, "{name} at step {k}: {shown}, not {own}");
        }
    }
}

#[test]
fn bad_values_are_answered_with_the_diagnostic() {
    let served = Served::new("slide.toml");
    for (query, words) in [
        ("ground.friction=-1", "at least 0"),
        ("ground.frction=0.3", "did you mean"),
        ("step=nonsense", "must be a number"),
        ("particle.mass=nan", "finite"),
        ("points=0", "whole number"),
        ("steppers=lpc", "lcp"),
        ("steppers=lcp:forward", "it slides a block"),
        ("step=1e-6", "more than the 100000"),
        ("push[0].file=/etc/passwd", "names a file"),
        ("push=[{%22fi%5Cu006ce%22=%22/etc/passwd%22}]", "names a file"),
    ] {
        let (status, body) = served.get(&format!("/curves?{query}"));
        assert_eq!(status, 422, "{query}: {body}");
        assert!(body.contains(words) && !body.contains("root:"), "{query}: {body}");
    }
}

/// Requests that no browser on the page would send.
fn hostile(port: u16) -> Vec<(Vec<u8>, &'static [u16])> {
    let own = format!("Host: 127.0.0.1:{port}\r\n");
    let mut requests: Vec<(Vec<u8>, &'static [u16])> = Vec::new();
    let mut add = |text: String, statuses: &'static [u16]| requests.push((text.into_bytes(), statuses));
    for method in ["POST", "PUT", "DELETE", "HEAD", "OPTIONS", "TRACE", "CONNECT", "PATCH", "get", "G\u{e9}T"]
    {
        for path in ["/", "/curves?step=1e-3", "/scenario.toml"] {
            add(format!("{method} {path} HTTP/1.1\r\n{own}\r\n"), &[405]);
        }
    }
    for host in [
        "example.org",
        "localhost",
        "127.0.0.1",
        "127.0.0.1:1",
        "[::1]",
        "0.0.0.0",
        "127.0.0.1.example.org",
        "evil@127.0.0.1",
        "127.1",
        "2130706433",
    ] {
        for path in ["/", "/curves", "/scenario.toml", "/report.js"] {
            add(format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n"), &[403]);
        }
    }
    for origin in ["http://example.org", "null", "https://127.0.0.1", "http://127.0.0.1:1", "file://"] {
        for path in ["/", "/curves"] {
            add(format!("GET {path} HTTP/1.1\r\n{own}Origin: {origin}\r\n\r\n"), &[403]);
        }
    }
    for path in [
        "/etc/passwd",
        "/../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//",
        "/curves/",
        "/index.html",
        "/.git/config",
        "/scenario.toml/..",
        "/Curves",
        "/%00",
    ] {
        add(format!("GET {path} HTTP/1.1\r\n{own}\r\n"), &[404]);
    }
    for target in ["curves", "*", "http://example.org/", "", "\\", "?", "127.0.0.1:80"] {
        add(format!("GET {target} HTTP/1.1\r\n{own}\r\n"), &[400]);
    }
    for query in [
        "=",
        "=1",
        "a",
        "a=%",
        "a=%z",
        "a=%ff",
        "a=%00",
        "a=%0d%0aX:1",
        "points=-1",
        "points=1e99",
        "points=",
        "steppers=%3Cscript%3E",
        "ground=1",
        "name=..",
        "name=%2Fetc",
        "ground.friction=1e999",
        "duration=1e10",
        "step=0",
        "step=-1",
        "particle.mass=0",
        "particle.position=[0.0,-1.0]",
        "particle.velocity=[1e9,0.0]",
        "particle.position=[0.0,1.0,2.0]",
        "push=[{file='/etc/passwd'}]",
        "push=[{%22fi%5Cu006ce%22=%22/etc/passwd%22}]",
        "push=[{%22%5CU00000066ile%22=%22/etc/passwd%22}]",
        "push[9].force=[1.0,0.0]",
        "stepper.lcp.directions=5",
        "stepper.nlp.tolerance=1",
        "ground.restitution=2",
        "ground.slope=90",
        "gravity=inf",
        "ground[0].friction=1",
        "ground..friction=1",
        "a.b.c.d.e.f.g.h.i.j=1",
        "ground.friction=[[[[[[[[1]]]]]]]]",
        "body[0].mass=1",
        "ground.friction='x'",
        "ground.friction=true",
        "ground.friction=1979-05-27",
        "x=1&x=2",
        "duration=nan",
    ] {
        add(format!("GET /curves?{query} HTTP/1.1\r\n{own}\r\n"), &[400, 422]);
        add(format!("GET /scenario.toml?{query} HTTP/1.1\r\n{own}\r\n"), &[400, 422]);
    }
    for version in ["HTTP/0.9", "HTTP/2.0", "HTTP/1.1 ", "", "http/1.1", "FTP/1.0"] {
        add(format!("GET / {version}\r\n{own}\r\n"), &[400, 505]);
    }
    for header in [
        "Content-Length: 10",
        "Transfer-Encoding: chunked",
        "Host: example.org",
        "no colon",
        ": empty",
        "a b: c",
        "Content-Length: -1",
        "X: \u{1}",
        "X\u{0}: 1",
    ] {
        add(format!("GET / HTTP/1.1\r\n{own}{header}\r\n\r\n"), &[400]);
    }
    add("GET / HTTP/1.1\r\n\r\n".to_owned(), &[400]);
    add(format!("GET /{} HTTP/1.1\r\n{own}\r\n", "a".repeat(9000)), &[414]);
    add(format!("GET / HTTP/1.1\r\n{own}X: {}\r\n\r\n", "a".repeat(20_000)), &[431]);
    add(format!("GET / HTTP/1.1\r\n{own}{}\r\n", "A: b\r\n".repeat(200)), &[431]);
    add("a".repeat(30_000), &[431]);
    for fragment in
        ["", "GET", "GET /", "GET / HTTP/1.1", "GET / HTTP/1.1\r\nHost", "\r\n\r\n", "\u{16}\u{3}\u{1}"]
    {
        add(fragment.to_owned(), &[0, 400]);
    }
    requests.push((vec![0xff; 100], &[400]));
    requests.push((b"GET / HTTP/1.1\r\nHost: \xff\r\n\r\n".to_vec(), &[400]));
    requests
}

#[test]
fn two_hundred_hostile_requests_are_refused_and_the_page_goes_on() {
    let served = Served::new("slide.toml");
    let requests = hostile(served.port);
    assert!(requests.len() >= 200, "{}", requests.len());
    for (bytes, statuses) in &requests {
        let (status, body) = served.send(bytes);
        let shown: String = String::from_utf8_lossy(bytes).chars().take(100).collect();
        assert!(statuses.contains(&status), "{shown:?} is answered {status}: {body}");
        assert!(body.len() < 20_000 && !body.contains("root:"), "{shown:?}: {body}");
    }
    assert_eq!(served.get("/").0, 200, "the page still answers");
}

#[test]
fn a_connection_that_says_nothing_keeps_nobody_waiting() {
    let served = Served::new("slide.toml");
    let silent: Vec<TcpStream> =
        (0..20).map(|_| TcpStream::connect(("127.0.0.1", served.port)).expect("a connection")).collect();
    let begun = Instant::now();
    assert_eq!(served.get("/scenario.toml").0, 200);
    assert!(begun.elapsed() < Duration::from_secs(5));
    drop(silent);
}

#[cfg(unix)]
#[test]
fn the_page_ends_cleanly_at_ctrl_c() {
    let mut served = Served::new("slide.toml");
    assert_eq!(served.get("/report.css").0, 200);
    crate::signal(&served.child, libc::SIGINT);
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = served.child.try_wait().expect("its status") {
            break status;
        }
        assert!(begun.elapsed() < Duration::from_secs(10), "it does not end");
        std::thread::sleep(Duration::from_millis(20));
    };
    assert_eq!(status.code(), Some(0));
}
