# Shortcuts; everything here is a plain cargo command.
.PHONY: campaign check test test-long test-longest bench ci python site wheel

check:
	cargo fmt --check
	cargo clippy --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --no-deps

test:
	cargo test --release

# The ignored tests, which take too long for every day: learning from thousands of samples, long runs under IPOPT, random
# states, ten million steps in a gigabyte. What chance looks for is `make campaign`.
LONG = cargo test --release --locked --tests -- --ignored --skip nothing_is_found --skip a_find_is_seen_again

# Without those that take many minutes each; a short sweep that is killed is in the everyday tests.
test-long:
	$(LONG) --skip intervals_of_fitted_throws_hold --skip intervals_of_windows_of_cubes_hold --skip four_thousand_runs_survive_twenty_kills --skip success_of_a_hundred_starts \
		--skip a_thousand_discs_fall_and_every_step_is_solved --skip two_hundred_cubes_fall_and_every_step_is_solved \
		--skip two_hundred_polyhedra_fall_into_a_pit_and_every_step_is_certified

test-longest:
	$(LONG)

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

# A wheel for this platform (of every Python from 3.10 on) and the source distribution, in target/wheels.
wheel:
	rm -rf target/wheel-environment target/wheels
	python3 -m venv target/wheel-environment
	target/wheel-environment/bin/pip install --quiet 'maturin>=1.9,<2'
	target/wheel-environment/bin/maturin build --release --locked --sdist --manifest-path python/Cargo.toml --out target/wheels

# The pages of docs/ as a site with search, in target/site; a link that leads nowhere is an error.
site:
	rm -rf target/site-environment target/site-source target/site
	python3 -m venv target/site-environment
	target/site-environment/bin/pip install --quiet zensical==0.0.73
	mkdir -p target/site-source/output
	cp -r README.md SOURCES.md CHANGELOG.md docs target/site-source
	cp -r output/gallery target/site-source/output
	target/site-environment/bin/zensical build --strict
	@echo 'To see it: python3 -m http.server --directory target/site, and http://localhost:8000 in a browser.'

ci:
	.ci/run

# Looks for faults by chance, for HOURS; what it finds is in target/campaign.
campaign:
	STICKSLIP_CAMPAIGN_HOURS=$(or $(HOURS),0.1) cargo test --release --test campaign nothing_is_found -- --ignored --nocapture
