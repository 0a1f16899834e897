use crate::{
    model::PointMass,
    stepper::{
        PointInput, PointLaw,
        derivative::{LocalDual, LocalInput, MarginKind, Margins, rigid_margins},
    },
};

/// What decides the branches of `lcp:anitescu`, whose contacts act only where they touch: a point at `z <= 0` must not move
/// further down, a point above the ground moves freely.
pub(super) struct AtTouch;

impl PointLaw<2> for AtTouch {
    fn chosen(&self, _local: &LocalInput<2>) -> [LocalDual; 2] {
        [LocalDual::from_re(0.0); 2]
    }

    fn margins(&self, body: &PointMass<2>, input: &PointInput<2>) -> Margins<2> {
        let height = LocalInput::new(body, input).state.height();
        let mut margins = Margins::default();
        margins.push(MarginKind::Contact, height);
        if height.re <= 0.0 {
            // On or below the ground the law is that of a point at height zero.
            let mut grounded = *input;
            grounded.state.position[1] = 0.0;
            margins.extend_without(&rigid_margins(body, &grounded), 1);
        }
        margins
    }
}
