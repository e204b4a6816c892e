# All tasks of this repository. `make` lists them.

PORT ?= 8080
ARGS ?=
export PORT

# Disables telemetry and update notices of tools.
export REDOCLY_TELEMETRY = off
export REDOCLY_SUPPRESS_UPDATE_NOTICE = true
# Uses npm's cache before the registry.
export npm_config_prefer_offline = true

BIN := node_modules/.bin
TSX := node --import tsx
# With fewer arenas, glibc keeps less freed memory. Threads that help the garbage collector of one worker take the cores of
# the others.
JEST := env MALLOC_ARENA_MAX=2 node --disable-warning=ExperimentalWarning --single-threaded-gc node_modules/jest/bin/jest.js
# Suites whose code differs between versions of Node: HTTP, streams, worker threads and SQLite.
ON_NODE := 'test/http/' 'test/hosting/(workers|losses)' 'test/server/(calls|drain|reconnect|slow)' \
	'test/client/(session|transport)' 'test/cli/serve.test' 'test/cli/traces/(moving|serving)' 'test/sse/stream' \
	'test/trace/store/(?!postgres|memory)' 'test/trace/api/(stream|large|errors|transfer|revoked)'
# Every step has a timeout: node scripts/bounded.mjs <seconds> <command>
BOUNDED := node scripts/bounded.mjs
# Suites of what uses the peers of the package, and of benchmarks that need node:sqlite.
WITH_PEERS := 'test/bridges/' 'test/observe/' 'test/rollout/agents/' 'test/trace/client/' 'test/cli/mcp.test' \
	'test/bench/traces'

.DEFAULT_GOAL := help
# Runs one target at a time, except where `make check` runs them in parallel.
ifndef PARALLEL
.NOTPARALLEL:
endif
.DELETE_ON_ERROR:
.PHONY: help start test slow check generate interop test-cluster conformance mutants bench bench-all bench-servers bench-isolation bench-parser bench-traces build \
	properties install fmt lint types imports dead-code docs fresh requirements spec-lint express workers node-24 python package peers soak torture hostile viewer-breaks faults

help: ## list the targets
	@echo 'make <target>:'
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  \1|\2/p' Makefile | awk -F'|' '{ printf "%-15s %s\n", $$1, $$2 }'

## Common targets

start: build ## serve the examples on http://127.0.0.1:8080 (PORT=...), play an episode of each, and keep serving
	@$(TSX) scripts/start.ts

test: build ## run the tests that need only Node (ARGS='test/http' for a part)
	@$(BOUNDED) 1800 $(JEST) $(ARGS)

slow: build ## run the tests that take minutes: documents, examples, compilers, whole conformance runs, attacks on sandboxes (ARGS='test/documents')
	@$(BOUNDED) 1800 $(JEST) --config test/slow.jest.config.mjs $(ARGS)

# Steps that use one core, two at a time; steps that use all cores, one after the other; and steps two at a time, which
# wait a third of the time: for a browser, Python, proxies and npm. The longest of them start first.
SINGLE := types python imports dead-code lint fresh spec-lint requirements
ALL_CORES := test slow
WAITING := interop package test-cluster hostile express workers node-24

check: export ORS_HOSTILE_SCRIPTS ?= 1000
check: build ## run everything that CI runs
	@$(MAKE) --no-print-directory -j2 --output-sync=target PARALLEL=yes $(SINGLE) ARGS=
	@$(MAKE) --no-print-directory $(ALL_CORES) ARGS=
	@$(MAKE) --no-print-directory -j2 --output-sync=target PARALLEL=yes $(WAITING) ARGS=
	@echo 'make check: passed'

generate: install ## generate generated/ from spec/, and the conformance pages of docs/
	@$(TSX) scripts/generate.ts
	@$(TSX) scripts/conformance-docs.ts

# Its recipe installs Python: as a prerequisite, that would let the targets beside it start first.
interop: build ## run the tests with Python clients and trainers, a browser and other servers; print what is skipped
	@$(BOUNDED) 400 sh scripts/python.sh
	@# Another step runs beside it in `make check`.
	@$(BOUNDED) 1800 $(JEST) --config test/interop/jest.config.mjs $(if $(PARALLEL),--maxWorkers=2) $(ARGS)

node-24: build ## run on Node 24 the tests of code that depends on the version of Node
	@$(BOUNDED) 200 sh scripts/node.sh 24
	@if [ -x .cache/node-24/bin/node ]; then PATH="$(CURDIR)/.cache/node-24/bin:$$PATH" ORS_TRACE_STORE=sqlite $(BOUNDED) 900 $(JEST) $(ON_NODE); fi

peers: build ## install the package with the oldest and the newest versions of its peers; build and test it on Node 20.19, 22, 24 and 26
	@for version in 20.19 22 24 26; do $(BOUNDED) 200 sh scripts/node.sh $$version || exit 1; done
	@$(BOUNDED) 3600 node test/peers/run.mjs $(or $(ARGS),$(WITH_PEERS) $(ON_NODE))

test-cluster: build ## test nginx and HAProxy in front of three servers that are added, drained and killed
	@$(BOUNDED) 300 sh scripts/deploy-tools.sh
	@$(BOUNDED) 900 $(JEST) --config test/cluster/jest.config.mjs $(ARGS)

conformance: build python ## run the conformance checks against our server and client, and those of the Python packages
	@$(BOUNDED) 900 $(JEST) --config test/interop/conformance.jest.config.mjs $(ARGS)

docs: install ## build the documentation site: pages, API reference, search; site/index.html
	@$(BOUNDED) 240 $(BIN)/typedoc

mutants: install ## run all conformance checks against every mutant of a server and a client
	@$(BOUNDED) 1800 $(JEST) --config test/conformance/mutants/jest.config.mjs $(ARGS)

viewer-breaks: install ## break single lines of the viewer; its browser tests must fail for each (ARGS='--only 3,7')
	@$(BOUNDED) 7200 $(TSX) test/interop/viewer/breaks/run.ts $(ARGS)

faults: build ## insert about 350 one-line faults into a copy of the sources; the tests must fail for each; hours (ARGS='--only server')
	@$(BOUNDED) 21600 $(TSX) test/faults/run.ts $(ARGS)

soak: build ## test long load, clients of large public specifications, and audits of the whole corpus; then `make properties`; an hour and a half
	@$(BOUNDED) 4500 $(JEST) --config test/soak/jest.config.mjs $(ARGS)
	@[ -n '$(ARGS)' ] || $(MAKE) --no-print-directory properties

properties: export ORS_TEST_RUNS ?= 20
properties: build ## test every property with 80 times as many random values (ORS_TEST_RUNS=100 for more); half an hour
	@$(BOUNDED) 7200 $(JEST) --testTimeout 1800000 --findRelatedTests test/support/fast-check.ts test/support/hostile-cases.ts

hostile: export ORS_HOSTILE_SCRIPTS ?= 100000
hostile: build ## attack both servers over raw sockets: 100,000 random scripts, resets at each byte, gzip bombs; 10 minutes
	@$(BOUNDED) 1800 $(JEST) --config test/hostile/jest.config.mjs $(ARGS)

torture: build ## test the trace stores with kill -9, a full disk, many writers and 10,000 followers, and durable episodes behind a proxy, on this Node and on 24; 30 minutes
	@$(BOUNDED) 300 sh scripts/deploy-tools.sh
	@$(BOUNDED) 2600 $(JEST) --config test/torture/jest.config.mjs $(ARGS)
	@$(BOUNDED) 200 sh scripts/node.sh 24
	@# Node 24 has another SQLite engine; for PostgreSQL nothing changes.
	@if [ -x .cache/node-24/bin/node ]; then PATH="$(CURDIR)/.cache/node-24/bin:$$PATH" $(BOUNDED) 900 $(JEST) --config test/torture/jest.config.mjs --testPathIgnorePatterns torture/postgres torture/episodes --passWithNoTests $(ARGS); fi

bench: bench-servers bench-traces ## compare server, client and trace store with others, and write docs/development/performance.md; two hours (ARGS='--quick')

bench-all: bench bench-isolation ## run `bench`, and measure workers, ten minutes of full load, and databases of ten million blocks; three hours
	@$(MAKE) bench-servers ARGS='--only endurance'
	@$(MAKE) bench-traces ARGS='--only growth'

bench-servers: build python ## measure only server and client; an hour and three quarters (ARGS='--only calls')
	@$(BOUNDED) 200 sh scripts/fastify.sh
	@$(BOUNDED) 900 sh scripts/bench-peers.sh
	@ulimit -n "$$(ulimit -H -n)" 2>/dev/null; $(TSX) bench/run.ts $(ARGS)

bench-isolation: build ## measure environments in workers and in the server's thread, for docs/development/performance.md; 12 minutes (ARGS='--quick')
	@$(TSX) bench/isolation.ts $(ARGS)

bench-traces: build ## measure only the trace store, on Node 24 (ARGS='--only growth')
	@$(BOUNDED) 200 sh scripts/node.sh 24
	@PATH="$(CURDIR)/.cache/node-24/bin:$$PATH" $(TSX) bench/traces.ts $(ARGS)

bench-parser: install ## measure our event parser and eventsource-parser (ARGS='--quick')
	@$(TSX) bench/parser.ts $(ARGS)

build: dist/.built ## compile into dist/ if anything changed

install: node_modules/.package-lock.json ## install the packages if the lock file is newer

fmt: install ## format, and fix lint errors automatically
	@$(BIN)/biome check --write .

## Parts of `make check`

lint: install ## check formatting and lint rules
	@$(BOUNDED) 120 $(BIN)/biome check --error-on-warnings .

types: install ## check the types
	@$(BOUNDED) 240 node node_modules/typescript-7/bin/tsc --noEmit

imports: install ## check the rules for imports between parts
	@$(BOUNDED) 120 $(BIN)/depcruise --config dependency-cruiser.config.mjs src generated scripts examples test bench

dead-code: install ## find unused files, exports and packages
	@$(BOUNDED) 120 $(BIN)/knip

fresh: install ## check that generated/ is up to date with spec/
	@$(BOUNDED) 120 $(TSX) scripts/generate.ts --check
	@$(BOUNDED) 120 $(TSX) scripts/conformance-docs.ts --check

requirements: install ## check that every heading of the standard has requirements
	@$(BOUNDED) 60 $(TSX) scripts/check-requirements.ts

spec-lint: install ## validate the OpenAPI documents
	@out=$$($(BOUNDED) 120 $(BIN)/redocly lint spec/ors.openapi.yaml spec/trace.openapi.yaml 2>&1) || { echo "$$out"; exit 1; }

# Only suites that run code of environments: sessions, calls, lookups, and their errors, results and cleanup. Code for
# requests, keys, hosts, documents, expiry and slow readers does not depend on where environments run.
workers: build ## run the server's tests with environments in workers
	@ORS_ISOLATION=worker $(BOUNDED) 600 $(JEST) 'test/server/(calls|discovery|drain|error-events|exclusive-calls|limits-(calls|lookup|sessions)|messages|random-bodies|reconnect|redact|score-group|secrets|sessions|starting|strange-errors|synchronous-code|terminal-tools|thrown-values|toolsets)'

# Only suites that check statuses, headers, documents and streams of servers that would use the fast path. Suites that set
# validateResponses, or that compare both paths (expiry), run in `make test`. Both paths send results by the same function,
# so slow readers are tested there, too.
express: build ## run the server's tests without the fast path, with validated responses
	@ORS_ENTRANCE=express $(BOUNDED) 300 $(JEST) 'test/server/(calls|discovery|documents|drain|reconnect|sessions)'

python: ## install the Python clients into .cache/python
	@$(BOUNDED) 400 sh scripts/python.sh

package: build ## install and use the package that npm would publish
	@$(BOUNDED) 1200 node test/package/run.mjs

## Files

dist/.built: node_modules/.package-lock.json $(shell find src generated) package.json tsconfig.json tsconfig.build.json scripts/build.mjs scripts/build-viewer.mjs scripts/licenses.mjs
	@$(BOUNDED) 240 node scripts/build.mjs
	@touch $@

node_modules/.package-lock.json: package-lock.json
	@$(BOUNDED) 600 npm ci
	@touch $@
