# Shortcuts; everything here is a plain cargo command.
.PHONY: campaign check test test-long bench ci python

check:
	cargo fmt --check
	cargo clippy --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --no-deps

test:
	cargo test --release

test-long:
	cargo test --release --test cli --test contact --test learn --test lcp_steppers --test planar -- --ignored

bench:
	cargo bench

# The Python package: built, installed into a fresh environment, tested, type-checked.
python:
	rm -rf target/python-environment
	python3 -m venv target/python-environment
	target/python-environment/bin/pip install --quiet './python[test]'
	target/python-environment/bin/pytest -q -c python/pyproject.toml python/tests
	# From elsewhere than python/, so that what was installed is checked.
	cd target && python-environment/bin/mypy --strict -p stickslip
	cd target && python-environment/bin/stubtest stickslip._stickslip

ci:
	.ci/run

# Looks for faults by chance, for HOURS; what it finds is in target/campaign.
campaign:
	STICKSLIP_CAMPAIGN_HOURS=$(or $(HOURS),0.1) cargo test --release --test campaign nothing_is_found -- --ignored --nocapture
