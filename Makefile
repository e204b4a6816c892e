# Everything that is done with this repository. `make` alone says what there is.

PORT ?= 8080
ARGS ?=
export PORT

# The registry's notices and the tools' own news are not about this project.
export REDOCLY_TELEMETRY = off
export REDOCLY_SUPPRESS_UPDATE_NOTICE = true
# What npm has already fetched is fetched again by nobody.
export npm_config_prefer_offline = true

BIN := node_modules/.bin
TSX := node --import tsx
JEST := node --disable-warning=ExperimentalWarning node_modules/jest/bin/jest.js
# What differs between Node 20 and 24: HTTP, streams, worker threads and the engine of SQLite.
ON_NODE_24 := 'test/http/' 'test/hosting/(workers|losses)' 'test/server/(calls|drain|reconnect|slow)' \
	'test/client/(session|transport)' 'test/cli/serve.test' 'test/cli/traces/(moving|serving)' 'test/sse/stream' \
	'test/trace/store/(?!postgres|memory)' 'test/trace/api/(stream|large|errors|transfer|revoked)' 'test/bench/traces'
# No step may hang: node scripts/bounded.mjs <seconds> <command>
BOUNDED := node scripts/bounded.mjs

.DEFAULT_GOAL := help
# One thing at a time, but for what `make check` runs side by side.
ifndef SIDE_BY_SIDE
.NOTPARALLEL:
endif
.DELETE_ON_ERROR:
.PHONY: help start test slow check generate interop test-cluster conformance mutants bench bench-all bench-servers bench-clients bench-isolation bench-parser bench-traces build \
	properties install fmt lint types imports dead-code docs fresh requirements spec-lint express workers node-24 python package soak torture hostile viewer-breaks faults

help: ## say what there is
	@echo 'make <target>:'
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  \1|\2/p' Makefile | awk -F'|' '{ printf "%-15s %s\n", $$1, $$2 }'

## For everybody

start: build ## serve the examples on http://127.0.0.1:8080 (PORT=...), play an episode of each, stay up
	@$(TSX) scripts/start.ts

test: build ## run the tests that need nothing but Node (ARGS='test/http' for some of them)
	@$(BOUNDED) 1800 $(JEST) $(ARGS)

slow: build ## run the tests that take minutes: documents, examples, compilers, whole conformance runs (ARGS='test/documents')
	@$(BOUNDED) 900 $(JEST) --config test/slow.jest.config.mjs $(ARGS)

# What keeps one core busy or waits, two at a time; what keeps all of them busy; and what runs beside `interop`, which
# waits for its browser and for Python a third of the time.
SINGLE := types lint imports dead-code fresh requirements spec-lint hostile python
WHOLE := test slow
BESIDE_INTEROP := express workers node-24 test-cluster package

check: export ORS_HOSTILE_SCRIPTS ?= 1000
check: build ## everything that CI runs
	@$(MAKE) --no-print-directory -j2 --output-sync=target SIDE_BY_SIDE=yes $(SINGLE) ARGS=
	@$(MAKE) --no-print-directory $(WHOLE) ARGS=
	@$(MAKE) --no-print-directory -j2 --output-sync=target SIDE_BY_SIDE=yes interop $(BESIDE_INTEROP) ARGS=
	@echo 'make check: all is well'

generate: install ## write generated/ from spec/
	@$(TSX) scripts/generate.ts
	@$(TSX) scripts/conformance-docs.ts

interop: build python ## run the tests with Python clients and trainers, a browser and other servers; says what it skips
	@$(BOUNDED) 1800 $(JEST) --config test/interop/jest.config.mjs $(ARGS)

node-24: build ## run what differs between Node versions on Node 24
	@$(BOUNDED) 200 sh scripts/node-24.sh
	@if [ -x .cache/node-24/bin/node ]; then PATH="$(CURDIR)/.cache/node-24/bin:$$PATH" ORS_TRACE_STORE=sqlite $(BOUNDED) 900 $(JEST) $(ON_NODE_24); fi

test-cluster: build ## nginx and HAProxy in front of three servers: what is lost when one comes, drains or dies
	@$(BOUNDED) 300 sh scripts/deploy-tools.sh
	@$(BOUNDED) 900 $(JEST) --config test/cluster/jest.config.mjs $(ARGS)

conformance: build python ## hold our server and client, and those of the Python packages, against the conformance checks
	@$(BOUNDED) 900 $(JEST) --config test/interop/conformance.jest.config.mjs $(ARGS)

docs: install ## build the API reference, docs/api/index.html
	@$(BOUNDED) 240 $(BIN)/typedoc

mutants: install ## hold every broken server and client against all conformance checks
	@$(BOUNDED) 1800 $(JEST) --config test/conformance/mutants/jest.config.mjs $(ARGS)

viewer-breaks: install ## break the viewer line after line; its tests in a browser must notice (ARGS='--only 3,7')
	@$(BOUNDED) 7200 $(TSX) test/interop/viewer/breaks/run.ts $(ARGS)

faults: build ## put 300 one-line faults into a copy of the sources, one by one; the tests must notice each: hours (ARGS='--only server')
	@$(BOUNDED) 21600 $(TSX) test/faults/run.ts $(ARGS)

soak: build ## minutes of load: tens of thousands of sessions, a day of idling, a stalled reader; then `make properties`
	@$(BOUNDED) 2400 $(JEST) --config test/soak/jest.config.mjs $(ARGS)
	@[ -n '$(ARGS)' ] || $(MAKE) --no-print-directory properties

properties: export ORS_TEST_RUNS ?= 20
properties: build ## every property with 20 times as many random values (ORS_TEST_RUNS=100 for more): half an hour
	@$(BOUNDED) 7200 $(JEST) --testTimeout 1800000 --findRelatedTests test/support/fast-check.ts

hostile: export ORS_HOSTILE_SCRIPTS ?= 100000
hostile: build ## attack both servers over raw sockets: 100,000 random scripts, resets at each byte, bombs; minutes
	@$(BOUNDED) 1800 $(JEST) --config test/hostile/jest.config.mjs $(ARGS)

torture: build ## the trace stores under kill -9, a full disk, many writers, 10,000 followers, on this Node and on 24: a quarter of an hour
	@$(BOUNDED) 1500 $(JEST) --config test/torture/jest.config.mjs $(ARGS)
	@$(BOUNDED) 200 sh scripts/node-24.sh
	@# Another engine of SQLite; to PostgreSQL it is the same.
	@if [ -x .cache/node-24/bin/node ]; then PATH="$(CURDIR)/.cache/node-24/bin:$$PATH" $(BOUNDED) 900 $(JEST) --config test/torture/jest.config.mjs --testPathIgnorePatterns torture/postgres --passWithNoTests $(ARGS); fi

bench: bench-servers bench-traces ## measure server, client and trace store beside others and write docs/performance.md: an hour and a quarter (ARGS='--quick')

bench-all: bench bench-isolation ## that, workers, ten minutes of full speed, and databases of ten million blocks: two hours
	@$(MAKE) bench-servers ARGS='--only endurance'
	@$(MAKE) bench-traces ARGS='--only growth'

bench-servers: build python ## the part of it that is the server and the client: about an hour (ARGS='--only calls')
	@$(BOUNDED) 200 sh scripts/fastify.sh
	@ulimit -n "$$(ulimit -H -n)" 2>/dev/null; $(TSX) bench/run.ts $(ARGS)

bench-clients: build python ## measure our client beside the Python ones and the generated one (ARGS='--quick')
	@$(TSX) bench/clients.ts $(ARGS)

bench-isolation: build ## measure environments in workers beside the server's own thread, into docs/performance.md: 12 minutes (ARGS='--quick')
	@$(TSX) bench/isolation.ts $(ARGS)

bench-traces: build ## the part of it that is the trace store, on Node 24 (ARGS='--only growth')
	@$(BOUNDED) 200 sh scripts/node-24.sh
	@PATH="$(CURDIR)/.cache/node-24/bin:$$PATH" $(TSX) bench/traces.ts $(ARGS)

bench-parser: install ## measure the reading of events beside eventsource-parser (ARGS='--quick')
	@$(TSX) bench/parser.ts $(ARGS)

build: dist/.built ## compile into dist/, if anything changed

install: node_modules/.package-lock.json ## install the packages, if the lock file is newer

fmt: install ## format, and mend what can be mended
	@$(BIN)/biome check --write .

## Parts of `make check`

lint: install ## format and lint
	@$(BOUNDED) 120 $(BIN)/biome check --error-on-warnings .

types: install ## the types of everything
	@$(BOUNDED) 240 $(BIN)/tsc --noEmit

imports: install ## who imports whom
	@$(BOUNDED) 120 $(BIN)/depcruise --config dependency-cruiser.config.mjs src generated scripts examples test bench

dead-code: install ## unused files, exports and packages
	@$(BOUNDED) 120 $(BIN)/knip

fresh: install ## generated/ is what spec/ gives
	@$(BOUNDED) 120 $(TSX) scripts/generate.ts --check
	@$(BOUNDED) 120 $(TSX) scripts/conformance-docs.ts --check

requirements: install ## every heading of the standard has its requirements
	@$(BOUNDED) 60 $(TSX) scripts/check-requirements.ts

spec-lint: install ## the OpenAPI documents are valid
	@out=$$($(BOUNDED) 120 $(BIN)/redocly lint spec/ors.openapi.yaml spec/trace.openapi.yaml 2>&1) || { echo "$$out"; exit 1; }

# Only suites in which the code of environments runs: sessions, calls, lookups, and what they throw, return and leave
# behind. Requests, keys, hosts, entrances and documents never reach an environment and are the same in both modes.
workers: build ## the server's tests with environments behind messages, as they are in workers
	@ORS_ISOLATION=worker $(BOUNDED) 600 $(JEST) 'test/server/(at-once|calls|discovery|drain|expiry|limits-(calls|lookup|sessions)|memory|random-bodies|reconnect|redact|secrets|sessions|slow-reader|strange-errors|thrown-values)'

# Only suites that compare statuses, headers, documents and streams of servers that would answer without Express; suites
# that set validateResponses or compare both entrances do so in `make test`.
express: build ## the server's tests with Express answering all of it, and its answers validated
	@ORS_ENTRANCE=express $(BOUNDED) 300 $(JEST) 'test/server/(calls|discovery|documents|drain|expiry|reconnect|sessions|slow-reader)'

python: ## install the Python clients into .cache/python
	@$(BOUNDED) 400 sh scripts/python.sh

package: build ## what npm would publish, installed and used
	@$(BOUNDED) 600 node test/package/run.mjs

## Files

dist/.built: node_modules/.package-lock.json $(shell find src generated) package.json tsconfig.json tsconfig.build.json scripts/build.mjs scripts/build-viewer.mjs scripts/licenses.mjs
	@$(BOUNDED) 240 node scripts/build.mjs
	@touch $@

node_modules/.package-lock.json: package-lock.json
	@$(BOUNDED) 600 npm ci
	@touch $@
