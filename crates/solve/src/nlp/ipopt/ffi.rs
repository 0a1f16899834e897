//! The C interface of the shim in `cpp/`.

use std::ffi::{c_char, c_int, c_longlong, c_void};

/// One application of IPOPT, opaque.
#[repr(C)]
pub(super) struct Application {
    _private: [u8; 0],
}

/// An evaluation at `x`; returns zero where it fails.
pub(super) type Evaluate =
    unsafe extern "C" fn(context: *mut c_void, x: *const f64, values: *mut f64) -> c_int;

/// The same for the Hessian of `sigma f + y^T g`.
pub(super) type EvaluateHessian = unsafe extern "C" fn(
    context: *mut c_void,
    x: *const f64,
    sigma: f64,
    y: *const f64,
    values: *mut f64,
) -> c_int;

/// A program during one solve; mirrors `stickslip_program` in `program.hpp`, field by field.
#[repr(C)]
pub(super) struct Program {
    pub variables: c_int,
    pub constraints: c_int,
    pub jacobian_entries: c_int,
    pub hessian_entries: c_int,
    pub jacobian_rows: *const c_int,
    pub jacobian_columns: *const c_int,
    pub hessian_rows: *const c_int,
    pub hessian_columns: *const c_int,
    pub x_lower: *const f64,
    pub x_upper: *const f64,
    pub g_lower: *const f64,
    pub g_upper: *const f64,
    /// The start on entry, the solution on return; as the three after it.
    pub x: *mut f64,
    pub y: *mut f64,
    pub z_lower: *mut f64,
    pub z_upper: *mut f64,
    pub iterations: c_int,
    /// Entries of the last factor of the KKT matrix.
    pub factor_entries: c_longlong,
    /// Handed back to every evaluation.
    pub context: *mut c_void,
    pub objective: Evaluate,
    pub gradient: Evaluate,
    pub values: Evaluate,
    pub jacobian: Evaluate,
    pub hessian: EvaluateHessian,
    /// Asked once per iteration; zero stops the solve.
    pub keep_going: unsafe extern "C" fn(context: *mut c_void) -> c_int,
}

unsafe extern "C" {
    pub(super) safe fn stickslip_ipopt_version() -> *const c_char;
    pub(super) safe fn stickslip_ipopt_new() -> *mut Application;
    pub(super) fn stickslip_ipopt_free(ipopt: *mut Application);
    pub(super) fn stickslip_ipopt_option_kind(ipopt: *mut Application, name: *const c_char) -> c_int;
    pub(super) fn stickslip_ipopt_set_number(
        ipopt: *mut Application,
        name: *const c_char,
        value: f64,
    ) -> c_int;
    pub(super) fn stickslip_ipopt_set_integer(
        ipopt: *mut Application,
        name: *const c_char,
        value: c_int,
    ) -> c_int;
    pub(super) fn stickslip_ipopt_set_text(
        ipopt: *mut Application,
        name: *const c_char,
        value: *const c_char,
    ) -> c_int;
    pub(super) fn stickslip_ipopt_set_verbose(ipopt: *mut Application, verbose: c_int);
    pub(super) fn stickslip_ipopt_solve(ipopt: *mut Application, program: *mut Program) -> c_int;
}
