import { expect, test } from '@jest/globals';
import { showResultsDiff } from '../../../src/cli/conformance/show-results.ts';
import { diffResults, parseResults } from '../../../src/conformance/report/diff.ts';
import type { CheckState } from '../../../src/conformance/result.ts';
import { reported, result } from './sample.ts';

const STATES: readonly CheckState[] = ['pass', 'fail', 'warn', 'n/a', 'not-testable', 'harness-error'];
const WORSE = [
  'pass fail',
  'pass warn',
  'pass not-testable',
  'pass harness-error',
  'n/a fail',
  'n/a warn',
  'n/a harness-error',
  'warn fail',
  'warn harness-error',
  'fail harness-error',
  'not-testable fail',
  'not-testable warn',
  'not-testable harness-error',
];
const BETTER = [
  'fail pass',
  'fail warn',
  'fail n/a',
  'warn pass',
  'warn n/a',
  'not-testable pass',
  'not-testable n/a',
  'harness-error pass',
  'harness-error warn',
  'harness-error fail',
  'harness-error n/a',
];

const pairs = STATES.flatMap((from) => STATES.filter((to) => to !== from).map((to) => [from, to] as const));

test.each(pairs)('classifies the change from %s to %s', (from, to) => {
  const { worse, better, changed } = diffResults(reported([result('a/a', from)]), reported([result('a/a', to)]));

  const pair = `${from} ${to}`;
  const expected = WORSE.includes(pair) ? 'worse' : BETTER.includes(pair) ? 'better' : 'changed';
  const found = Object.entries({ worse, better, changed }).flatMap(([way, rows]) => (rows.length > 0 ? [way] : []));
  expect(found).toEqual([expected]);
});

test('lists checks of only one run as added or gone, and counts unchanged ones', () => {
  const before = reported([result('a/same', 'fail'), result('a/gone', 'pass')]);
  const after = reported([result('a/new', 'fail'), result('a/same', 'fail')]);

  const { added, gone, same, worse } = diffResults(before, after);

  expect(added).toEqual([{ check: 'a/new', state: 'fail', level: 'must' }]);
  expect(gone).toEqual([{ check: 'a/gone', state: 'pass', level: 'must' }]);
  expect([same, worse]).toEqual([1, []]);
});

test('parses written results, with and without a byte order mark', () => {
  const results = reported(STATES.map((state, index) => result(`a/c${index}`, state)));

  expect(parseResults(JSON.stringify(results))).toEqual(results);
  expect(parseResults(`\ufeff${JSON.stringify(results)}`)).toEqual(results);
});

test.each([
  ['nothing', '', /^not valid JSON/],
  ['another document', '{"schema_version":1}', /^not a results.json of version 1: the document must have/],
  [
    'another version',
    JSON.stringify({ ...reported([]), schema_version: 2 }),
    /\/schema_version must be equal to constant/,
  ],
])('rejects %s as results.json', (_, text, message) => {
  expect(() => parseResults(text)).toThrow(message);
});

test('compares runs of different profiles or environments', () => {
  const [before, other] = [reported([result('a/a', 'pass')]), reported([result('a/a', 'pass')])];
  const after = { ...other, environment: 'maze', profiles: ['full' as const] };
  const terminal = {
    isInteractive: false,
    width: 80,
    style: (_: string, text: string) => text,
    print: () => undefined,
  };
  const shown = (runs: readonly [typeof before, typeof after | typeof before]) =>
    showResultsDiff(diffResults(...runs), runs, terminal);

  expect(shown([before, after])).toContain('have different subjects: environment lab -> maze; profile core -> full\n');
  expect(shown([before, other])).not.toContain('not of the same');
});
