use crate::stepper::{
    PointLaw,
    derivative::{LocalDual, LocalInput, MarginKind, Margins, rigid_margins},
};

/// What decides the branches of `lcp:anitescu`, whose contacts act only where they touch: a point at `z <= 0` must not move
/// further down, a point above the ground moves freely.
pub(super) struct AtTouch;

impl PointLaw<2> for AtTouch {
    fn chosen(&self, _local: &LocalInput<2>) -> [LocalDual; 2] {
        [LocalDual::from_re(0.0); 2]
    }

    fn margins(&self, local: &LocalInput<2>) -> Margins<2> {
        let height = local.state.height();
        let mut margins = Margins::default();
        margins.push(MarginKind::Contact, height);
        if height.re <= 0.0 {
            // On or below the ground the law is that of a point at height zero.
            let mut grounded = *local;
            grounded.state.position[1] -= height.re;
            margins.extend_without(&rigid_margins(&grounded), 1);
        }
        margins
    }
}
