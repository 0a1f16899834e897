//! The live page: a scenario to be turned at in the browser, answered by this process alone.
//!
//! The server listens on 127.0.0.1 and answers nobody else: the `Host` of a request has to be its own, and so has an
//! `Origin`. It knows GET and a handful of paths; whatever a request asks for is bounded before it is computed.
//!
//! | path | answer |
//! |---|---|
//! | `/` | the page |
//! | `/curves?KEY=VALUE&points=N&steppers=A,B` | the [`Motion`](crate::report::Motion) with these changes, as JSON |
//! | `/scenario.toml?KEY=VALUE` | the scenario with these changes, as a file |

mod answer;
mod connection;
mod live_scenario;
mod query;
mod request;

use std::{
    io,
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

pub use live_scenario::LiveScenario;

/// Connections at a time; a browser opens six.
const MOST_CONNECTIONS: usize = 32;
/// How often the server asks whether it is to end.
const PULSE: Duration = Duration::from_millis(50);

/// A server of one scenario.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    scenario: Arc<LiveScenario>,
}

impl Server {
    /// Listens on 127.0.0.1 at `port`; at any that is free for port 0.
    ///
    /// # Errors
    /// If the port is taken, or may not be used.
    pub fn bind(scenario: LiveScenario, port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address, scenario: Arc::new(scenario) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers until `stop` says so.
    pub fn run(&self, stop: impl Fn() -> bool + Sync) {
        let connections = Arc::new(AtomicUsize::new(0));
        let stopped = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                while !stop() {
                    thread::sleep(PULSE);
                }
                stopped.store(true, Ordering::SeqCst);
                // Wakes the loop below. If nobody can connect, it is awake already.
                drop(TcpStream::connect(self.address));
            });
            for stream in self.listener.incoming() {
                if stopped.load(Ordering::SeqCst) {
                    break;
                }
                match stream {
                    Ok(stream) => self.take(stream, &connections),
                    // One connection that fell through, or no more files for now: the next one may do.
                    Err(_) => thread::sleep(PULSE),
                }
            }
        });
    }

    /// Answers a connection on a thread of its own, which ends with the process at the latest.
    fn take(&self, stream: TcpStream, connections: &Arc<AtomicUsize>) {
        let count = Taken::new(connections);
        if count.number > MOST_CONNECTIONS {
            connection::refuse(&stream);
            return;
        }
        let (scenario, port) = (Arc::clone(&self.scenario), self.address.port());
        // Without a thread the connection is closed, and the browser asks again.
        let _ = thread::Builder::new().spawn(move || {
            connection::serve(stream, &scenario, port);
            drop(count);
        });
    }
}

/// One of the connections that are open.
struct Taken {
    count: Arc<AtomicUsize>,
    number: usize,
}

impl Taken {
    fn new(count: &Arc<AtomicUsize>) -> Self {
        let number = count.fetch_add(1, Ordering::SeqCst) + 1;
        Self { count: Arc::clone(count), number }
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.count.fetch_sub(1, Ordering::SeqCst);
    }
}
