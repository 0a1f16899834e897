//! One connection: requests in, answers out.

use std::{
    io::{BufReader, Write},
    net::TcpStream,
    time::Duration,
};

use super::{
    LiveScenario,
    answer::{Answer, answer},
    request::{Fault, Request},
};

/// How long a client may take to send a request, or to take an answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a page may load: what this server gives, and nothing of anybody else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                      img-src 'self' blob: data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/// Answers the requests of a connection until either side ends it.
pub(super) fn serve(stream: TcpStream, scenario: &LiveScenario, port: u16) {
    // A connection that cannot be configured or answered is gone; there is nobody to tell.
    let _ = stream.set_read_timeout(Some(PATIENCE));
    let _ = stream.set_write_timeout(Some(PATIENCE));
    let _ = stream.set_nodelay(true);
    let mut input = BufReader::new(&stream);
    loop {
        let (answer, keep_alive) = match Request::read(&mut input, port) {
            Ok(None) => return,
            Ok(Some(request)) => (answer(&request, scenario), request.keep_alive),
            Err(fault) => (Answer::refusal(&fault), false),
        };
        if send(&stream, &answer, keep_alive).is_err() || !keep_alive {
            return;
        }
    }
}

/// Turns a connection away.
pub(super) fn refuse(stream: &TcpStream) {
    let _ = stream.set_write_timeout(Some(Duration::from_millis(100)));
    let fault = Fault::new(503, "there are too many connections; close some pages");
    // A client that does not listen needs no answer.
    let _ = send(stream, &Answer::refusal(&fault), false);
}

fn send(mut stream: &TcpStream, answer: &Answer, keep_alive: bool) -> std::io::Result<()> {
    let reason = match answer.status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        414 => "URI Too Long",
        422 => "Unprocessable Content",
        431 => "Request Header Fields Too Large",
        505 => "HTTP Version Not Supported",
        _ => "Service Unavailable",
    };
    let mut head = format!(
        "HTTP/1.1 {} {reason}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: {}\r\n",
        answer.status,
        answer.media_type,
        answer.body.len(),
        if keep_alive { "keep-alive" } else { "close" },
    );
    head += "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n";
    head += "Cross-Origin-Resource-Policy: same-origin\r\nCross-Origin-Opener-Policy: same-origin\r\n";
    head += &format!("Content-Security-Policy: {POLICY}\r\n");
    if answer.status == 405 {
        head += "Allow: GET\r\n";
    }
    if let Some(name) = &answer.file_name {
        head += &format!("Content-Disposition: attachment; filename=\"{name}\"\r\n");
    }
    head += "\r\n";
    let mut bytes = head.into_bytes();
    bytes.extend_from_slice(&answer.body);
    stream.write_all(&bytes)
}
