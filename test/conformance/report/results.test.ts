import { expect, test } from '@jest/globals';
import { toConformanceResults } from '../../../src/conformance/report/results.ts';
import { parseExpectedFailures } from '../../../src/conformance/report/verdict.ts';
import { SERVER_UNREACHABLE } from '../../../src/conformance/run.ts';
import { failuresOfSdk } from '../../../src/conformance/sdk.ts';
import { exchange, reported, result, run } from './sample.ts';
import { problemsOf } from './schema.ts';

const NO_FIXTURE = "needs the fixture environment 'conformance' (docs/development/conformance-fixture.md)";
const every = [
  result('session/a', 'pass'),
  result('session/b', 'fail'),
  result('call/c', 'warn', { level: 'should' }),
  result('call/d', 'n/a', { level: 'may', notes: ['seen'] }),
  result('call/e', 'not-testable', { message: NO_FIXTURE }),
  result('call/f', 'harness-error'),
];

test('writes valid results for every state', () => {
  expect(problemsOf(reported(every))).toEqual([]);
});

test('rejects invalid results by the schema', () => {
  const { results, ...rest } = reported(every);

  expect(problemsOf(rest)).toEqual([" must have required property 'results'"]);
  expect(problemsOf({ ...rest, results: [{ ...results[0], state: 'ok' }] })).not.toEqual([]);
  expect(problemsOf({ ...rest, results, url: 'http://name:key@host' })).not.toEqual([]);
});

test('counts the required checks that ran in the headline, with the reasons of the others', () => {
  const passes = Array.from({ length: 61 }, (_, index) => result(`session/p${index}`, 'pass'));
  const warnings = [result('call/w1', 'warn', { level: 'should' }), result('call/w2', 'warn', { level: 'should' })];
  const untested = Array.from({ length: 14 }, (_, index) =>
    result(`call/u${index}`, 'not-testable', { message: NO_FIXTURE }),
  );
  const others = Array.from({ length: 3 }, (_, index) => result(`call/n${index}`, 'n/a', { level: 'may' }));

  const { summary } = reported([...passes, ...warnings, ...untested, ...others]);

  expect(summary.headline).toBe('61/61 required pass; 2 warnings; 14 not testable (no fixture); 3 n/a');
  expect(summary.required).toEqual({ passed: 61, ran: 61, not_testable: 14 });
  expect(summary.not_testable).toEqual([{ reason: NO_FIXTURE, checks: untested.map(({ check }) => check) }]);
});

test('lists reasons in the headline, the most frequent first', () => {
  const untested = [
    result('a/a', 'not-testable', { message: 'needs --start, so that the suite may stop the server' }),
    result('a/b', 'not-testable', { message: NO_FIXTURE }),
    result('a/c', 'not-testable', { message: NO_FIXTURE }),
    result('a/d', 'not-testable', { message: '/create was answered with 500' }),
  ];

  expect(reported(untested).summary.headline).toBe(
    'no required check ran; 4 not testable (2 no fixture, 1 no --start, 1 other reasons)',
  );
});

const [pass, fail, warn, untestable, broken] = [
  result('a/pass', 'pass'),
  result('a/fail', 'fail'),
  result('a/warn', 'warn', { level: 'should' }),
  result('a/untestable', 'not-testable'),
  result('a/broken', 'harness-error'),
];
const expecting = (...lines: string[]) => ({ expectations: parseExpectedFailures(lines.join('\n')) });

test.each([
  ['all required pass', [pass], {}, 'conforms', 0],
  ['there are warnings', [pass, warn], {}, 'conforms', 0],
  ['there are warnings and --strict', [pass, warn], { strict: true }, 'violations', 1],
  ['something is not testable', [pass, untestable], {}, 'conforms', 0],
  ['something is not testable and --require-complete', [pass, untestable], { requireComplete: true }, 'incomplete', 5],
  ['nothing required ran', [untestable], {}, 'incomplete', 5],
  ['only recommendations were checked', [result('a/x', 'pass', { level: 'should' })], {}, 'incomplete', 5],
  ['nothing ran at all', [], {}, 'incomplete', 5],
  ['a required check fails', [pass, fail], {}, 'violations', 1],
  ['the suite breaks', [pass, broken], {}, 'harness-error', 4],
  ['the suite breaks beside a failure', [fail, broken], {}, 'violations', 1],
  ['a failure is expected', [pass, fail], expecting('a/fail # known'), 'conforms', 0],
  ['a warning is expected', [pass, warn], { ...expecting('a/warn'), strict: true }, 'conforms', 0],
  ['an expected failure passes', [pass], expecting('a/pass # mended'), 'violations', 1],
  ['an unknown failure is expected', [pass], expecting('a/gone'), 'violations', 1],
  ['an expected failure is not testable', [pass, untestable], expecting('a/untestable'), 'conforms', 0],
  ['the server ends', [pass, result('a/gone', 'not-testable', { message: SERVER_UNREACHABLE })], {}, 'incomplete', 5],
  ['it was interrupted', [pass, fail], { interrupted: 130 }, 'interrupted', 130],
] as const)('where %s, the outcome is that', (_, results, policy, outcome, exitCode) => {
  const { verdict } = reported(results, policy);

  expect([verdict.outcome, verdict.exit_code]).toEqual([outcome, exitCode]);
  expect(verdict.reasons.length === 0).toBe(outcome === 'conforms');
});

test('keeps the state of an expected failure, and adds its reason', () => {
  const { results, verdict, summary } = reported(
    [pass, fail],
    expecting('', '# all of them', 'a/fail   # no time yet'),
  );

  expect(results[1]).toMatchObject({ state: 'fail', expected_failure: 'no time yet' });
  expect(verdict.expected_failures).toEqual(['a/fail']);
  expect(summary.headline).toBe('1/2 required pass; 1 failure expected');
});

test('fails for an extension that the server has and does otherwise', () => {
  const { verdict, summary } = reported([pass, result('terminal/not-listed', 'fail', { level: 'may' })]);

  expect([verdict.exit_code, verdict.reasons]).toEqual([1, ['1 check of extensions failed']]);
  expect(summary.required).toEqual({ passed: 1, ran: 1, not_testable: 0 });
});

test('attributes known failures to the SDK, which may also pass, and the others to the environment', () => {
  const known = parseExpectedFailures('a/fail # cut at characters\na/pass # not here');
  const expectations = failuresOfSdk({ name: 'openreward', version: '0.1.167' }, known);

  const own = result('a/own', 'fail');
  const { results, verdict, summary } = reported([pass, fail, own], { expectations });

  expect(results[1]).toMatchObject({ expected_failure: 'cut at characters', of_sdk: 'openreward 0.1.167' });
  expect(results[2]).not.toHaveProperty('of_sdk');
  expect(verdict).toMatchObject({ exit_code: 1, reasons: ['1 required check failed'], stale_expectations: [] });
  expect(summary.headline).toBe('1/3 required pass; 1 difference of openreward 0.1.167, not of the environment');
  expect(problemsOf(reported([fail], { expectations }))).toEqual([]);
});

test('explains why an expectation is stale', () => {
  const { verdict } = reported([pass], { ...expecting('a/pass', 'a/typo'), knownChecks: ['a/pass'] });

  expect(verdict.stale_expectations).toEqual([
    { check: 'a/pass', problem: 'it passes now' },
    { check: 'a/typo', problem: 'there is no such check' },
  ]);
});

test.each(['session', 'session/a session/b', '/a', 'a/'])('rejects the line %j in expected failures', (line) => {
  expect(() => parseExpectedFailures(`a/b # fine\n${line}`)).toThrow(/^invalid line 2: /);
});

test('keeps the last five exchanges of a passed check, with truncated bodies', () => {
  const long = exchange({ answer: 'x'.repeat(5_000) });
  const exchanges = Array.from({ length: 8 }, (_, index) => ({ ...long, number: index + 1 }));

  const [passed, failed] = reported([
    result('a/a', 'pass', { exchanges }),
    result('a/b', 'fail', { exchanges }),
  ]).results;

  expect(passed?.exchanges.map(({ number }) => number)).toEqual([4, 5, 6, 7, 8]);
  expect(passed?.exchanges_left_out).toBe(3);
  expect(passed?.exchanges[0]?.response_body).toMatchObject({ length: 5_000, is_cut: true });
  expect(failed?.exchanges).toHaveLength(8);
  expect(failed?.exchanges[0]?.response_body).toMatchObject({ length: 5_000, is_cut: false });
});

test('truncates a body at 64 KiB between characters, and reports its length', () => {
  const answer = `a${'é'.repeat(50_000)}`;

  const [cut] = reported([result('a/a', 'fail', { exchanges: [exchange({ answer })] })]).results;

  const body = cut?.exchanges[0]?.response_body;
  expect(body).toMatchObject({ encoding: 'utf-8', length: 100_001, is_cut: true });
  expect(Buffer.byteLength(body?.content ?? '')).toBe(65_535);
  expect(cut?.exchanges[0]?.pieces).toEqual([{ at_ms: 12.3, bytes: 65_535 }]);
});

test('keeps a body that is not UTF-8 as base64', () => {
  const bytes = Buffer.from([0xff, 0x00, 0xfe]);

  const [kept] = reported([result('a/a', 'fail', { exchanges: [exchange({ chunks: [{ at: 1, bytes }] })] })]).results;

  expect(kept?.exchanges[0]?.response_body).toEqual({ encoding: 'base64', content: '/wD+', length: 3, is_cut: false });
});

test('limits the number of chunks of a slow stream, and covers all of its bytes', () => {
  const pieces = Array.from({ length: 2_000 }, (_, index) => ({ at: index, bytes: Buffer.from('x') }));

  const [kept] = reported([result('a/a', 'fail', { exchanges: [exchange({ chunks: pieces })] })]).results;

  const counts = kept?.exchanges[0]?.pieces ?? [];
  expect(counts).toHaveLength(500);
  expect(counts.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(2_000);
});

test('keeps a request without a response as evidence', () => {
  const lost = exchange({ failure: 'socket hang up', chunks: [], responseHeaders: [] });
  const { status: _, headAt: __, ...without } = lost;

  const results = reported([result('a/a', 'fail', { exchanges: [without] })]);

  expect(problemsOf(results)).toEqual([]);
  expect(results.results[0]?.exchanges[0]).toMatchObject({ status: null, head_at_ms: null, failure: 'socket hang up' });
});

test('reports a missing time limit as null, and a URL without query and credentials', () => {
  const endless = run([pass], {
    url: 'https://name:key@host:1/base/?token=1',
    budget: { sessions: 1, calls: 1, seconds: Number.POSITIVE_INFINITY },
  });

  const results = toConformanceResults(endless, { options: {}, knownChecks: [] });

  expect(results.budget.seconds).toBeNull();
  expect(results.url).toBe('https://host:1/base');
  expect(problemsOf(JSON.parse(JSON.stringify(results)))).toEqual([]);
});

test('reports the name of the client', () => {
  const results = toConformanceResults(
    { ...run([pass], { profiles: [] }), client: 'my-client 2' },
    { options: {}, knownChecks: [] },
  );

  expect(results).toMatchObject({ subject: 'client', client: 'my-client 2' });
  expect(problemsOf(results)).toEqual([]);
});

test('accepts failures and passes of a flaky check', () => {
  const expectations = parseExpectedFailures('a/a # Sometimes: two at once\na/b # always\n');

  const failed = reported([result('a/a', 'fail'), result('a/b', 'fail')], { expectations });
  const passed = reported([result('a/a', 'pass'), result('a/b', 'fail')], { expectations });

  expect(failed.results.map((each) => each.expected_failure)).toEqual(['two at once', 'always']);
  expect([failed, passed].map(({ verdict }) => [verdict.exit_code, verdict.stale_expectations])).toEqual([
    [0, []],
    [0, []],
  ]);
});

test('rejects an unknown flaky check', () => {
  const expectations = parseExpectedFailures('a/nothing # sometimes: never\n');

  expect(reported([result('a/a', 'pass')], { expectations }).verdict.outcome).toBe('violations');
});
