# One target a verb. `make run` and `make test` are all a newcomer needs; both
# say what the machine lacks, or install it where they may.
.PHONY: build run test test-core test-lang test-interop check race fuzz world world-nightly bench lint clean validators validate quick gallery netns viewer release release-test operator vscode

build:
	@scripts/need
	go build -trimpath -o bin/meshd ./cmd/meshd

# Start a node in the platform's data folder; a second run uses it again.
run: build
	bin/meshd run

# Everything: all tests, the mutants, the race detector, the quick ones of the tools
# that read artefacts, and the benchmark module.
test: lint test-core test-lang test-interop
	go run ./scripts/mutants
	$(MAKE) race quick
	cd scripts/bench/peer && go vet ./... && go test ./...

# The tests by what they run besides Go: nothing but a C compiler; what runs compiled
# scenes; Node, Postgres and the clients of others.
TEST = MESHD_LOOPBACK=1 go test -timeout 20m -shuffle=on
SCENES = ./lang/...
INTEROP = ./cmd/meshd ./gateway ./gateway/state/... ./scripts/...
CORE = $(filter-out $(shell go list $(SCENES) $(INTEROP)),$(shell go list ./...))
test-core:
	@scripts/need
	$(TEST) $(CORE)

test-lang:
	@scripts/need lang
	$(TEST) $(SCENES)

test-interop:
	@scripts/need interop
	$(TEST) $(INTEROP)

# The everyday subset: all tests, the long ones in a short form, those that nothing
# touched as they ended last.
check: lint
	@scripts/need tests
	MESHD_LOOPBACK=1 go test -short -timeout 20m ./...
	go run ./scripts/mutants

lint:
	@scripts/need
	@test -z "$$(gofmt -l . )" || { gofmt -l .; echo 'run gofmt -w on these'; exit 1; }
	go vet ./...
	go tool staticcheck ./...

# Packages with goroutines of their own; the pure core has none to race. Tests in
# bubbles of synctest have one processor: the timers of a bubble share one context of
# the race detector, which crashes when two threads are in it (Go 1.26).
BUBBLES = ./node ./node/ingest ./p2p/topic ./p2p/discover ./p2p/sync ./gateway ./gateway/edge ./gateway/workshop
RACES = ./node/events ./node/control ./node/index ./crdt/log ./crdt/log/engine ./p2p/guard $(filter-out $(BUBBLES),$(shell go list -f '.{{slice .ImportPath 22}}' ./gateway/...))
race:
	MESHD_LOOPBACK=1 go test -race -short -timeout 30m $(RACES)
	MESHD_LOOPBACK=1 go test -race -short -timeout 30m -cpu 1 $(BUBBLES)

# Every fuzz target for a while: make fuzz FUZZTIME=1m
fuzz:
	scripts/fuzz

# Whole nodes among faults and liars, in virtual time: seeds a minute, and the line
# of each that fails. make world SEEDS=1-50, or SEEDS=the line; WORLD=-world.full for
# 20 nodes and 5 minutes, WORLD=-world.story to read what was done to them.
world:
	@cd node/world && MESHD_LOOPBACK=1 go test -run 'TestWorld$$' -count=1 -timeout 0 -world.seeds='$(or $(SEEDS),1-50)' $(WORLD)

# Fresh seeds of the large world for hours: make world-nightly HOURS=8
world-nightly:
	@cd node/world && MESHD_LOOPBACK=1 go test -run 'TestWorld$$' -count=1 -timeout 0 -world.full -world.for='$(or $(HOURS),8)h'

# The tools that read compiled artefacts, and a run of all examples through them.
validators:
	apt-get install --no-install-recommends chromium liburdfdom-tools assimp-utils admesh libsdformat-dev libopenxr-dev pkg-config g++ view3dscene python3 godot3-server mono-mcs mono-runtime kotlin default-jre-headless
	cd scripts/validators && npm ci --ignore-scripts

validate:
	go run ./scripts/validate

# Every example to every target, and a few tools that need seconds.
quick:
	@scripts/need quick
	go run ./scripts/validate --quick
	go run ./scripts/gallery -small

# The scenes of docs/gallery.md as pictures, by Chromium and by ours, judged by rules.
gallery:
	@scripts/need quick
	go run ./scripts/gallery -out bin/gallery

# Nodes in network namespaces, with no way out: two find each other by mDNS alone, and two
# behind routers that let nobody in meet through a relay. Root on Linux; a stage of its own,
# as many machines that run tests may not make namespaces.
netns:
	@scripts/need netns
	scripts/mdns
	scripts/relay

# What operators are given, with the programs it is for: the alert rules and every query of
# the dashboard at a Prometheus that scrapes two gateways under load.
operator: build
	@scripts/need operator
	cd scripts/operator && go vet ./... && go run . -meshd ../../bin/meshd

# The viewer in compiled pages, from its TypeScript.
viewer:
	cd lang/target/html/viewer && npm ci --ignore-scripts && npm run check && npm run build

# The extension for VS Code, into dist/meshd.vsix.
vscode:
	@scripts/need interop
	mkdir -p dist
	cd editors/vscode && npm ci --ignore-scripts --no-audit --no-fund && npm run package -- -o ../../dist/meshd.vsix

# One table, written to docs/bench.md; minutes on two cores.
bench:
	scripts/bench/run

# What people install, into dist/: archives, Debian packages, an image, sums. Debian, amd64.
release:
	@scripts/need release
	cd scripts/release && go vet . && go run .

# Each of them installed and started, and a home of an older commit taken over; root, minutes.
release-test: release
	@scripts/need release-test
	cd scripts/release && MESHD_LOOPBACK=1 go test -count=1 -timeout 60m ./...

clean:
	rm -rf bin dist
