use super::{
    Phenomenon, artefacts, carried, falling, followed_impacts, impacts, mechanisms, rebound, resistance,
    rolling, sliding, space, spinning, standing, stick_slip, tipping, touching,
};
use crate::spelling::closest;

/// Every phenomenon, in the order of the groups.
pub fn phenomena() -> Vec<Phenomenon> {
    [
        sliding::phenomena(),
        stick_slip::phenomena(),
        space::sliding(),
        carried::phenomena(),
        rolling::phenomena(),
        space::rolling(),
        spinning::phenomena(),
        resistance::phenomena(),
        tipping::phenomena(),
        falling::phenomena(),
        rebound::phenomena(),
        impacts::phenomena(),
        followed_impacts::phenomena(),
        touching::impacts(),
        mechanisms::phenomena(),
        standing::phenomena(),
        artefacts::phenomena(),
        touching::artefacts(),
    ]
    .concat()
}

/// A phenomenon that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no phenomenon `{given}`; {}", self.remedy())]
pub struct UnknownPhenomenon {
    /// What was given.
    pub given: String,
    /// The closest name there is, if one is close.
    pub closest: Option<&'static str>,
}

impl UnknownPhenomenon {
    fn remedy(&self) -> String {
        match self.closest {
            Some(name) => format!("did you mean `{name}`?"),
            None => {
                let names: Vec<_> = phenomena().iter().map(|phenomenon| phenomenon.name).collect();
                format!("choose among {}", names.join(", "))
            }
        }
    }
}

/// The phenomena called `names`, in the order of [`phenomena`]; all of them where there are no names.
///
/// # Errors
/// [`UnknownPhenomenon`] for the first name that there is not.
pub fn named(names: &[String]) -> Result<Vec<Phenomenon>, UnknownPhenomenon> {
    let all = phenomena();
    for given in names {
        if all.iter().all(|phenomenon| phenomenon.name != given) {
            let closest = closest(given, all.iter().map(|phenomenon| phenomenon.name));
            return Err(UnknownPhenomenon { given: given.clone(), closest });
        }
    }
    let wanted =
        |phenomenon: &Phenomenon| names.is_empty() || names.iter().any(|name| name == phenomenon.name);
    Ok(all.into_iter().filter(wanted).collect())
}
