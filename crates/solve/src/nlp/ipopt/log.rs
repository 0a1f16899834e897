use std::{
    ffi::{CStr, c_char},
    panic,
};

/// Prints what IPOPT logs, through Rust's standard output.
///
/// # Safety
/// `text` is a string that ends with a zero byte.
#[unsafe(no_mangle)]
unsafe extern "C" fn stickslip_print(text: *const c_char) {
    // SAFETY: the C++ side passes a terminated string, which outlives the call.
    let text = unsafe { CStr::from_ptr(text) }.to_string_lossy();
    // `print` panics where standard output is closed; a log line is not worth the solve.
    let _ = panic::catch_unwind(|| print!("{text}"));
}
