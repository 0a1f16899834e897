//! What is answered to which path.

use super::{
    LiveScenario,
    query::Query,
    request::{Fault, Request},
};
use crate::report::{PROGRAM, STYLE};

/// An answer, ready to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Answer {
    pub status: u16,
    pub media_type: &'static str,
    pub body: Vec<u8>,
    /// The name of a file to be saved.
    pub file_name: Option<String>,
}

impl Answer {
    fn of(media_type: &'static str, body: impl Into<Vec<u8>>) -> Self {
        Self { status: 200, media_type, body: body.into(), file_name: None }
    }

    /// The fault in words.
    pub fn refusal(fault: &Fault) -> Self {
        let body = format!("{}\n", fault.message);
        Self { status: fault.status, ..Self::of("text/plain; charset=utf-8", body) }
    }
}

/// Answers a request.
pub(super) fn answer(request: &Request, scenario: &LiveScenario) -> Answer {
    let outcome = match request.path.as_str() {
        "/" => Ok(Answer::of("text/html; charset=utf-8", scenario.page())),
        "/report.js" => Ok(Answer::of("text/javascript; charset=utf-8", PROGRAM)),
        "/report.css" => Ok(Answer::of("text/css; charset=utf-8", STYLE)),
        "/favicon.ico" => Ok(Answer::of("image/x-icon", "")),
        "/curves" => Query::parse(&request.query)
            .and_then(|query| scenario.curves(&query))
            .map(|json| Answer::of("application/json", json)),
        "/scenario.toml" => {
            Query::parse(&request.query).and_then(|query| scenario.file(&query)).map(|text| {
                let file_name = Some(format!("{}.toml", scenario.name()));
                Answer { file_name, ..Answer::of("application/toml; charset=utf-8", text) }
            })
        }
        _ => Err(Fault::new(404, "there are /, /curves and /scenario.toml")),
    };
    outcome.unwrap_or_else(|fault| Answer::refusal(&fault))
}
