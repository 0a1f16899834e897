use std::collections::HashSet;

use super::BodyMode;
use crate::{scenario::Partner, stepper::ContactMode, trajectory::Track};

/// Who touches: two partners, or a body and whatever it touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Touching {
    /// A body and a partner.
    Pair(usize, Partner),
    /// A body, with all that it touches.
    Body(usize),
    /// All contacts there are.
    All,
}

/// What two partners do over a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doing {
    /// No contact carries a force.
    Open,
    /// Some contact slips.
    Slip,
    /// Every contact that carries a force sticks.
    Stick,
    /// They touch; whether they slip is not told.
    Touch,
}

impl Touching {
    /// What a picture calls it.
    pub fn name<const D: usize>(self, track: Track<'_, D>) -> String {
        match self {
            Self::Pair(first, second) => {
                format!("{} – {}", track.scenario.body_name(first), track.scenario.partner_name(second))
            }
            Self::Body(body) => track.scenario.body_name(body),
            Self::All => "all contacts".to_owned(),
        }
    }

    fn concerns(self, first: usize, second: Partner) -> bool {
        match self {
            Self::Pair(one, other) => one == first && other == second,
            Self::Body(body) => first == body || second == Partner::Body(body),
            Self::All => true,
        }
    }

    /// What it does in step `k` of a trajectory with these `tracks`.
    pub fn doing<const D: usize>(self, tracks: &[Track<'_, D>], k: usize) -> Doing {
        let Some(track) = tracks.first() else { return Doing::Open };
        if !track.contacts.is_empty() {
            let contacts = track.contacts.of_step(k).iter();
            let modes =
                contacts.filter(|contact| self.concerns(contact.first, contact.second)).map(|contact| {
                    match contact.mode {
                        ContactMode::Open => Doing::Open,
                        ContactMode::Slip => Doing::Slip,
                        ContactMode::Stick => Doing::Stick,
                    }
                });
            return modes.fold(Doing::Open, Doing::with);
        }
        // Where contacts are not told apart, from the force on the bodies.
        let concerned = tracks.iter().filter(|track| match self {
            Self::Pair(body, _) | Self::Body(body) => track.body == body,
            Self::All => true,
        });
        concerned.map(|track| Doing::of_body(*track, k)).fold(Doing::Open, Doing::with)
    }
}

impl Doing {
    /// What both do together.
    fn with(self, other: Self) -> Self {
        let rank = |doing: Self| {
            [Self::Open, Self::Touch, Self::Stick, Self::Slip].iter().position(|&one| one == doing)
        };
        if rank(other) > rank(self) { other } else { self }
    }

    /// What a body does in step `k`, from the force on it.
    pub fn of_body<const D: usize>(track: Track<'_, D>, k: usize) -> Self {
        match BodyMode::along_the_ground(track, k) {
            None | Some(BodyMode::Flight) => Self::Open,
            Some(BodyMode::Impact | BodyMode::Touching) => Self::Touch,
            Some(BodyMode::Sliding) => Self::Slip,
            Some(BodyMode::Sticking) => Self::Stick,
        }
    }

    /// The word of pages.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Slip => "slip",
            Self::Stick => "stick",
            Self::Touch => "touching",
        }
    }
}

/// The pairs of partners that touch in a motion, in the order in which they do so first; the bodies where contacts
/// are not told apart.
pub fn pairs_of<const D: usize>(tracks: &[Track<'_, D>]) -> Vec<Touching> {
    let Some(track) = tracks.first() else { return Vec::new() };
    if track.contacts.is_empty() {
        return tracks.iter().map(|track| Touching::Pair(track.body, Partner::Ground)).collect();
    }
    let mut pairs = Vec::new();
    let mut seen = HashSet::new();
    for k in 0..track.reports.len() {
        for contact in track.contacts.of_step(k) {
            let pair = Touching::Pair(contact.first, contact.second);
            if contact.mode != ContactMode::Open && seen.insert(pair) {
                pairs.push(pair);
            }
        }
    }
    pairs
}
