//! Damaged requests to the live page: each is answered or hung up on in time, none is answered with what is not asked
//! for, and the server goes on.

use std::{
    collections::BTreeMap,
    fmt,
    io::{BufRead, BufReader, Read, Write},
    net::{Shutdown, TcpStream},
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use crate::{
    budget::{Budget, Draw},
    damage::damaged,
    finds::Finds,
};

/// A request is answered within this time, under a load of other work; the server gives a simulation 5 s.
const LONGEST: Duration = Duration::from_secs(20);

/// How many requests got which answer; 0 where the server hung up.
#[derive(Debug, Default)]
pub struct Tally(BTreeMap<u16, usize>);

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} damaged requests, by status {:?}", self.0.values().sum::<usize>(), self.0)
    }
}

pub fn campaign(budget: &Budget, finds: &mut Finds) -> Tally {
    let mut tally = Tally::default();
    let mut server = Server::new();
    for (_, mut draw) in budget.draws() {
        let request = request(&mut draw, server.port);
        let begun = Instant::now();
        let fault = match server.ask(&request) {
            Ok(status) => {
                *tally.0.entry(status).or_default() += 1;
                // What is not spoken, and what takes too long, are the client's; the rest are the server's faults.
                let is_expected = matches!(status, 0 | 200 | 400..=499 | 503 | 505);
                (!is_expected).then(|| format!("it answers {status}"))
            }
            Err(_) if begun.elapsed() >= LONGEST => Some(format!("no answer within {LONGEST:?}")),
            Err(error) => Some(format!("no answer: {error}")),
        };
        let fault = fault.or_else(|| server.has_ended().then(|| "the server is gone".to_owned()));
        if let Some(fault) = fault {
            finds.add("request", "txt", &fault, request.as_bytes());
            server = Server::new();
        }
    }
    let whole = format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n", server.port);
    if server.ask(&whole).ok() != Some(200) {
        finds.add("request", "txt", "the page is not served any more", whole.as_bytes());
    }
    tally
}

/// What a page asks for, damaged.
fn request(draw: &mut Draw, port: u16) -> String {
    let target = draw.one_of(&[
        "/",
        "/report.js",
        "/scenario.toml?ground.friction=0.25",
        "/curves?ground.friction=0.2&points=50&steppers=lcp,hybrid",
        "/curves?particle.velocity=%5B1.0%2C%200.5%5D&duration=0.1&steppers=exact",
        "/curves?push%5B0%5D.force=%5B4.0,0.0%5D&step=1e-2",
    ]);
    // The address alone, or all of it.
    if draw.chance(0.6) {
        let target = damaged(target, draw);
        return format!("GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n");
    }
    damaged(&format!("GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"), draw)
}

/// `stickslip serve`, which ends with it.
struct Server {
    child: Child,
    port: u16,
}

impl Server {
    fn new() -> Self {
        let scenario = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/scenarios/slide.toml");
        let mut child = Command::new(assert_cmd::cargo::cargo_bin("stickslip"))
            .arg("serve")
            .arg(scenario)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let mut address = String::new();
        BufReader::new(child.stdout.take().expect("its output")).read_line(&mut address).expect("an address");
        let port = address.trim().trim_end_matches('/').rsplit(':').next().and_then(|port| port.parse().ok());
        Self { child, port: port.unwrap_or_else(|| panic!("{address:?}")) }
    }

    /// The status of the answer; 0 where the server just hangs up.
    fn ask(&self, request: &str) -> std::io::Result<u16> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(LONGEST))?;
        // The server may have hung up on the first bytes.
        let _ = stream.write_all(request.as_bytes());
        let _ = stream.shutdown(Shutdown::Write);
        let mut answer = Vec::new();
        match stream.read_to_end(&mut answer) {
            // What was not read of a request is answered by a reset once the answer is out.
            Err(error) if error.kind() != std::io::ErrorKind::ConnectionReset => return Err(error),
            _ => {}
        }
        let head = String::from_utf8_lossy(&answer[..answer.len().min(64)]).into_owned();
        Ok(head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0))
    }

    fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
