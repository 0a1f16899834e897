# Shortcuts; everything here is a plain cargo command.
.PHONY: check test bench ci

check:
	cargo fmt --check
	cargo clippy --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --no-deps

test:
	cargo test --release

bench:
	cargo bench

ci:
	.ci/run
