//! Compiles the C++ shim that connects the bundled IPOPT to the Rust code in `src/nlp/ipopt`, if the
//! feature `ipopt` is on.

fn main() {
    println!("cargo:rustc-check-cfg=cfg(bundled_blas)");
    println!("cargo:rerun-if-changed=build.rs");
    #[cfg(feature = "ipopt")]
    ipopt::build();
}

#[cfg(feature = "ipopt")]
mod ipopt {
    use std::{env, path::Path};

    const SHIM: &str = "src/nlp/ipopt/cpp";

    pub fn build() {
        println!("cargo:rerun-if-changed={SHIM}");
        let Some(include) = env::var_os("DEP_IPOPT_INCLUDE") else {
            panic!("the crate `ipopt-src` did not say where IPOPT's headers are");
        };
        let target_os = env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
        let target_env = env::var("CARGO_CFG_TARGET_ENV").unwrap_or_default();

        let mut shim = cc::Build::new();
        shim.cpp(true).warnings(false).std("c++14").includes(env::split_paths(&include));
        if target_env == "msvc" {
            shim.flag("/EHsc");
        }
        // `ipopt-src` builds IPOPT without LAPACK on Linux, where this crate supplies the few routines
        // that are needed, and with the system's LAPACK elsewhere.
        match target_os.as_str() {
            "linux" | "android" => {
                println!("cargo:rustc-cfg=bundled_blas");
                shim.define("STICKSLIP_BUNDLED", None);
            }
            "macos" => println!("cargo:rustc-link-lib=framework=Accelerate"),
            _ => println!("cargo:rustc-link-lib=lapack"),
        }
        shim.file(Path::new(SHIM).join("shim.cpp")).compile("stickslip_ipopt");
    }
}
