//! The crate as a guest in a program that brings its own BLAS and its own C++ `operator new`.
//!
//! Were the crate's names those of the BLAS or of the C++ operators, this program would not link, or
//! IPOPT would call the routines below.

use std::{
    alloc::{Layout, alloc, dealloc},
    sync::atomic::{AtomicUsize, Ordering},
};

use stickslip::{
    scenario::{Body, Ground, NlpSolverChoice, Scenario},
    simulate::simulate,
    stepper::{BuildStepper, StepStatus, StepperName},
};

static CALLS_OF_BLAS: AtomicUsize = AtomicUsize::new(0);
static BLOCKS: AtomicUsize = AtomicUsize::new(0);

/// A BLAS of the program's own. Whatever the arguments are, it only counts that it was called.
macro_rules! blas {
    ($($name:ident),*) => {$(
        #[unsafe(no_mangle)]
        extern "C" fn $name() {
            CALLS_OF_BLAS.fetch_add(1, Ordering::Relaxed);
        }
    )*};
}

blas!(ddot_, dnrm2_, dasum_, idamax_, dcopy_, daxpy_, dscal_, dgemv_, dsymv_, dgemm_, dsyrk_, dtrsm_);
blas!(dpotrf_, dpotrs_, dsyev_, dgetrf_, dgetrs_, dppsv_);

/// In front of every block of the program's own operators: its size, so that a block of other origin
/// would be freed with nonsense for a layout.
const HEADER: usize = 16;

/// `operator new(std::size_t)`
#[unsafe(no_mangle)]
extern "C" fn _Znwm(size: usize) -> *mut u8 {
    BLOCKS.fetch_add(1, Ordering::Relaxed);
    let layout = Layout::from_size_align(size + HEADER, HEADER).expect("a size that exists");
    // SAFETY: the layout is not empty, and the header is inside the block.
    unsafe {
        let start = alloc(layout);
        assert!(!start.is_null(), "out of memory");
        start.cast::<usize>().write(size);
        start.add(HEADER)
    }
}

/// `operator delete(void*)`
///
/// # Safety
/// The block is null or one of `operator new`.
#[unsafe(no_mangle)]
unsafe extern "C" fn _ZdlPv(block: *mut u8) {
    if block.is_null() {
        return;
    }
    // SAFETY: the header that `operator new` wrote is in front of the block.
    unsafe {
        let start = block.sub(HEADER);
        let size = start.cast::<usize>().read();
        dealloc(start, Layout::from_size_align_unchecked(size + HEADER, HEADER));
    }
}

/// `operator delete(void*, std::size_t)`
///
/// # Safety
/// As of the other.
#[unsafe(no_mangle)]
unsafe extern "C" fn _ZdlPvm(block: *mut u8, _: usize) {
    // SAFETY: as demanded here.
    unsafe { _ZdlPv(block) }
}

/// `operator new[](std::size_t)`
#[unsafe(no_mangle)]
extern "C" fn _Znam(size: usize) -> *mut u8 {
    _Znwm(size)
}

/// `operator delete[](void*)`
///
/// # Safety
/// The block is null or one of `operator new[]`.
#[unsafe(no_mangle)]
unsafe extern "C" fn _ZdaPv(block: *mut u8) {
    // SAFETY: as demanded here.
    unsafe { _ZdlPv(block) }
}

/// `operator delete[](void*, std::size_t)`
///
/// # Safety
/// As of the other.
#[unsafe(no_mangle)]
unsafe extern "C" fn _ZdaPvm(block: *mut u8, _: usize) {
    // SAFETY: as demanded here.
    unsafe { _ZdlPv(block) }
}

#[test]
fn ipopt_leaves_the_blas_of_the_program_alone_and_allocates_by_its_operators() {
    let mut scenario = Scenario {
        duration: 1.2,
        bodies: vec![Body::point(10.0, [0.0, 1.0], [1.0, 0.0])],
        ground: Ground { friction: 0.1, ..Ground::default() },
        ..Scenario::new("slide")
    };
    scenario.steppers.nlp.solver = Some(NlpSolverChoice::Ipopt);
    let mut stepper = scenario.stepper(StepperName::NLP).expect("nlp admits every scenario");
    let trajectory = simulate(&scenario, stepper.as_mut());
    drop(stepper);
    assert_eq!(trajectory.count(StepStatus::Solved), 1200);
    assert!((trajectory.final_state(0).position[0] - 0.609184).abs() < 1e-6);
    assert_eq!(CALLS_OF_BLAS.load(Ordering::Relaxed), 0, "calls of the program's own BLAS");
    assert!(BLOCKS.load(Ordering::Relaxed) > 1200, "IPOPT has operators of its own");
    // Kept in the program, as a real BLAS would be.
    dgemm_();
    assert_eq!(CALLS_OF_BLAS.load(Ordering::Relaxed), 1);
}
