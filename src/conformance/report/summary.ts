import type {
  CheckResult,
  RequiredCounts,
  StateCounts,
  Summary,
  Untested,
} from '../../../generated/conformance-results.ts';
import { groupBy, plural } from '../../core/index.ts';
import type { CheckState } from '../result.ts';

/** What is counted of a result. */
export type CountedResult = Pick<CheckResult, 'check' | 'level' | 'state' | 'message' | 'expected_failure'>;

/** The beginnings of reasons, and what the headline makes of them. */
const SHORT_REASONS: readonly (readonly [RegExp, string])[] = [
  [/^needs the fixture/, 'no fixture'],
  [/^the fixture on this server/, 'incomplete fixture'],
  [/^needs --start/, 'no --start'],
  [/has no split with a task/, 'no task'],
  [/^tool calls are not allowed/, 'no tool calls'],
  [/^no tool (may be called|has an input)/, 'no tool to call'],
  [/^no call with a made input/, 'no good input'],
  [/^the budget of .* is used up/, 'budget used up'],
  [/^the time of .* is used up/, 'time used up'],
  [/interrupted/, 'interrupted'],
  [/^the server can no longer be reached/, 'server gone'],
];

/** Counts, reasons and headline of results. */
export function summarizeResults(results: readonly CountedResult[]): Summary {
  const count = (state: CheckState) => results.filter((result) => result.state === state).length;
  const states: StateCounts = {
    pass: count('pass'),
    fail: count('fail'),
    warn: count('warn'),
    not_applicable: count('n/a'),
    not_testable: count('not-testable'),
    harness_error: count('harness-error'),
  };
  const must = results.filter(({ level }) => level === 'must');
  const required: RequiredCounts = {
    passed: must.filter(({ state }) => state === 'pass').length,
    ran: must.filter(({ state }) => state === 'pass' || state === 'fail').length,
    not_testable: must.filter(({ state }) => state === 'not-testable').length,
  };
  const notTestable = byReason(results);
  return {
    headline: headlineOf(states, required, notTestable, results),
    checks: results.length,
    states,
    required,
    not_testable: notTestable,
  };
}

/** What could not be tested, the most frequent reason first. */
function byReason(results: readonly CountedResult[]): Untested[] {
  const untested = results.filter(({ state }) => state === 'not-testable');
  return [...groupBy(untested, ({ message }) => message ?? '')]
    .map(([reason, own]) => ({ reason, checks: own.map(({ check }) => check) }))
    .sort((a, b) => b.checks.length - a.checks.length);
}

function headlineOf(
  states: StateCounts,
  { passed, ran }: RequiredCounts,
  notTestable: readonly Untested[],
  results: readonly CountedResult[],
): string {
  const expected = results.filter(({ expected_failure }) => expected_failure !== null).length;
  const parts = [
    ran === 0 ? 'no required check ran' : `${passed}/${ran} required pass`,
    expected > 0 && `${plural(expected, 'failure')} expected`,
    states.harness_error > 0 && `${plural(states.harness_error, 'error')} of the suite itself`,
    states.warn > 0 && plural(states.warn, 'warning'),
    states.not_testable > 0 && `${states.not_testable} not testable (${shortReasons(notTestable)})`,
    states.not_applicable > 0 && `${states.not_applicable} n/a`,
  ];
  return parts.filter(Boolean).join('; ');
}

function shortReasons(notTestable: readonly Untested[]): string {
  const counts = new Map<string, number>();
  for (const { reason, checks } of notTestable) {
    const short = SHORT_REASONS.find(([pattern]) => pattern.test(reason))?.[1] ?? 'other reasons';
    counts.set(short, (counts.get(short) ?? 0) + checks.length);
  }
  if (counts.size === 1) return [...counts.keys()].join();
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([short, count]) => `${count} ${short}`)
    .join(', ');
}
