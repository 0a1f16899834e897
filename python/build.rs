//! Binds the symbols of the library to the library itself.

fn main() {
    // A BLAS that is loaded with global symbols, as MKL's loaders do, must not take the place of ours.
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-Bsymbolic");
    }
    println!("cargo:rerun-if-changed=build.rs");
}
