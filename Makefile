# Shortcuts; everything here is a plain cargo command.
.PHONY: check test test-long bench ci

check:
	cargo fmt --check
	cargo clippy --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --no-deps

test:
	cargo test --release

test-long:
	cargo test --release --test learn --test lcp_steppers -- --ignored

bench:
	cargo bench

ci:
	.ci/run
