import { defineFlags, type FlagValues } from '../command.ts';
import { collect, collectList, integerParser, parseSeconds } from '../flag-parsers.ts';

const selectionFlags = defineFlags({
  '--only <names>': { help: 'only these checks: ids, groups or requirements, comma-separated', parse: collectList },
  '--skip <names>': { help: 'all checks except these', parse: collectList },
});

const resultFlags = defineFlags({
  '--expected-failures <file>':
    'checks that are expected to fail: one id per line, then # and the reason, or # sometimes: and the reason',
  '--strict': 'fail the run on warnings',
  '--require-complete': 'fail the run if something is not testable',
  '--report <folder>': 'write results.json, junit.xml, report.html and badge.svg',
  '--json': 'print only results.json',
  '--verbose': 'show passed checks too',
  '--list': 'list the checks and exit',
});

export const conformanceFlags = defineFlags({
  '--profile <names>': {
    help: 'discovery, core, full, soak or hostile, comma-separated (default: core)',
    parse: collectList,
  },
  '--env <name>': 'environment to test (default: the fixture if it is served, otherwise the first)',
  ...selectionFlags,
  '--tool <names>': { help: 'tools that may be called (default: all)', parse: collectList },
  '--skip-tool <names>': { help: 'tools that may not be called', parse: collectList },
  '--no-tool-calls': 'call no tools',
  '--input <tool=json>': { help: 'input for a tool, as JSON or @file (repeatable)', parse: collect },
  '--secrets <@file>': 'JSON object of secrets for every episode; not in any report',
  '--max-calls <number>': {
    help: 'maximum number of tool calls (default: as many as the checks need)',
    parse: integerParser(),
  },
  '--max-seconds <number>': { help: 'start no check after this time (default: 120 in core)', parse: parseSeconds },
  '--seed <number>': { help: 'seed of everything random (default: 1)', parse: integerParser() },
  '--concurrency <number>': { help: 'number of concurrent checks (default: 4)', parse: integerParser({ min: 1 }) },
  '--i-own-this': 'allow the profile hostile against a server on another machine',
  '--start <command>': 'start the server with this command, wait for it, and stop it at the end',
  '--api-key <key>': { help: 'sent as X-API-Key; not in any report', env: 'ORS_API_KEY' },
  '--header <name: value>': {
    help: 'sent with every request; the value is not in any report (repeatable)',
    parse: collect,
  },
  '--timeout <seconds>': { help: 'longest wait for one response (default: 30)', parse: parseSeconds },
  '--ca <file>': 'PEM file of trusted certificate authorities',
  '--cert <file>': 'PEM file of a client certificate; needs --key',
  '--key <file>': 'PEM file of its key',
  '--insecure': "do not verify the server's certificate",
  '--session-timeout <seconds>': {
    help: 'time without requests after which the server ends a session (default: 900)',
    parse: parseSeconds,
  },
  '--result-linger <seconds>': { help: 'time for which the server keeps a result (default: 60)', parse: parseSeconds },
  '--heartbeat <seconds>': { help: 'longest silence of a stream (default: 15)', parse: parseSeconds },
  ...resultFlags,
  '--explain <id>': 'explain a check or a requirement; with a URL, show the requests that it sends',
  '--dry-run': 'send discovery requests only, and print what would run',
});

export const conformanceClientFlags = defineFlags({
  '--command <command>': 'shell command that starts the adapter, which controls the client',
  ...selectionFlags,
  '--timeout <seconds>': { help: 'longest wait for an action of the client (default: 20)', parse: parseSeconds },
  '--concurrency <number>': {
    help: 'number of concurrent checks, each with its own adapter (default: 12)',
    parse: integerParser({ min: 1 }),
  },
  ...resultFlags,
  '--explain <id>': 'explain a check or a requirement',
});

export type ConformanceFlags = FlagValues<typeof conformanceFlags>;
export type ConformanceClientFlags = FlagValues<typeof conformanceClientFlags>;
