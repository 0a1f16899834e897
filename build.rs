//! Gives the command-line program, and the benchmarks that measure what it does, an `operator new` that recycles
//! small blocks, which IPOPT takes and gives back by the thousand. It is global, so that the libraries leave it to
//! their user.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    #[cfg(feature = "ipopt")]
    replace_allocation();
}

#[cfg(feature = "ipopt")]
fn replace_allocation() {
    const POOL: &str = "src/pool.cpp";
    println!("cargo:rerun-if-changed={POOL}");
    let target_os = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    if !matches!(target_os.as_str(), "linux" | "android") {
        return;
    }
    for object in cc::Build::new().cpp(true).warnings(false).std("c++14").file(POOL).compile_intermediates() {
        println!("cargo:rustc-link-arg-bins={}", object.display());
        println!("cargo:rustc-link-arg-benches={}", object.display());
    }
}
