import type {
  CheckResult,
  RequiredCounts,
  StaleExpectation,
  StateCounts,
  Summary,
  Untested,
  Verdict,
} from '../../../generated/conformance-results.ts';
import { groupBy, plural, withoutByteOrderMark } from '../../core/index.ts';
import { NO_GOOD_INPUT, NO_RESULT } from '../checks/responses.ts';
import type { CheckState } from '../result.ts';
import { SERVER_UNREACHABLE } from '../run.ts';

/** Options that decide whether a run is successful. */
export interface VerdictPolicy {
  /** Treats warnings as failures. @default false */
  readonly strict?: boolean;
  /** Treats checks that are not testable as failures. @default false */
  readonly requireComplete?: boolean;
  /** Accepts a run in which no required check ran, if another one did: the user has chosen single checks. @default false */
  readonly acceptsOptional?: boolean;
  /** Expected failures: these checks may fail or warn, and must not pass unless they are flaky. @default none */
  readonly expectations?: ExpectedFailures;
  /** Exit code of the signal that interrupted the run. @default the run was not interrupted */
  readonly interrupted?: number;
}

/** Decides whether the server conforms, from results whose expected failures are marked. */
export function decideVerdict(
  results: readonly CheckResult[],
  { states, required }: Summary,
  policy: VerdictPolicy,
  knownChecks: readonly string[],
): Verdict {
  const hasMessage = (start: string) => results.some(({ message }) => message?.startsWith(start));
  const stale = staleOf(results, policy.expectations ?? new Map(), knownChecks);
  const unexpected = results.filter(({ expected_failure }) => expected_failure === null);
  const failed = unexpected.filter(({ state }) => state === 'fail');
  const fails = failed.filter(({ level }) => level !== 'may').length;
  const broken = failed.length - fails;
  const ran = policy.acceptsOptional ? states.pass + states.fail + states.warn : required.ran;
  const warns = policy.strict ? unexpected.filter(({ state }) => state === 'warn').length : 0;
  const problems: readonly (readonly [Exclude<Verdict['outcome'], 'conforms'>, string | false])[] = [
    ['interrupted', policy.interrupted !== undefined && 'the run was interrupted'],
    ['violations', fails > 0 && `${plural(fails, 'required check')} failed`],
    ['violations', broken > 0 && `${plural(broken, 'check')} of extensions failed`],
    ['violations', warns > 0 && `${plural(warns, 'warning')}, which --strict treats as failures`],
    ...stale.map(({ check, problem }) => ['violations', `expected failure ${check}: ${problem}`] as const),
    [
      'harness-error',
      states.harness_error > 0 && `${plural(states.harness_error, 'check')} failed because of a bug in the suite`,
    ],
    ['incomplete', results.some(({ message }) => message === SERVER_UNREACHABLE) && 'the server exited during the run'],
    [
      'incomplete',
      hasMessage(NO_RESULT)
        ? 'every call ended with an error event, so no result was tested; pass a valid input with --input'
        : hasMessage(NO_GOOD_INPUT) && 'no call was accepted, so no output was tested; pass a valid input with --input',
    ],
    ['incomplete', ran === 0 && (policy.acceptsOptional ? 'the check did not run' : 'no required check ran')],
    [
      'incomplete',
      policy.requireComplete === true &&
        states.not_testable > 0 &&
        `${plural(states.not_testable, 'check')} not testable, and --require-complete requires all`,
    ],
  ];
  const found = problems.flatMap(([outcome, reason]) => (reason === false ? [] : [{ outcome, reason }]));
  const outcome = found[0]?.outcome ?? 'conforms';
  return {
    outcome,
    exit_code: outcome === 'interrupted' ? (policy.interrupted ?? EXIT_CODES.interrupted) : EXIT_CODES[outcome],
    reasons: found.map(({ reason }) => reason),
    expected_failures: results.filter((result) => result.expected_failure !== null).map(({ check }) => check),
    stale_expectations: stale,
  };
}

function staleOf(
  results: readonly CheckResult[],
  expectations: ExpectedFailures,
  knownChecks: readonly string[],
): StaleExpectation[] {
  return [...expectations].flatMap(([check, { isFlaky }]) => {
    if (!knownChecks.includes(check)) return [{ check, problem: 'there is no such check' }];
    if (isFlaky) return [];
    const passes = results.some((result) => result.check === check && result.state === 'pass');
    return passes ? [{ check, problem: 'it passes now' }] : [];
  });
}

/** The fields of a result that the summary counts. */
export type CountedResult = Pick<CheckResult, 'check' | 'level' | 'state' | 'message' | 'expected_failure' | 'of_sdk'>;

/** Short forms of reasons, for the headline. */
const SHORT_REASONS: readonly (readonly [RegExp, string])[] = [
  [/^needs the fixture/, 'no fixture'],
  [/^the fixture on this server/, 'incomplete fixture'],
  [/^needs --start/, 'no --start'],
  [/has no split with a task/, 'no task'],
  [/^tool calls are not allowed/, 'no tool calls'],
  [/^no tool (may be called|has an input)/, 'no tool to call'],
  [/^no call with a generated input/, 'no valid input'],
  [/^the budget of .* is used up/, 'budget used up'],
  [/^the time of .* is used up/, 'time used up'],
  [/interrupted/, 'interrupted'],
  [/^the server can no longer be reached/, 'server gone'],
];

/** Returns counts, reasons and headline of results. */
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

/** Groups the checks that are not testable by reason, the most frequent first. */
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
  const ofSdk = groupBy(
    results.filter(({ of_sdk }) => of_sdk !== undefined),
    ({ of_sdk }) => of_sdk,
  );
  const expected = results.filter(
    ({ expected_failure: reason, of_sdk }) => reason !== null && of_sdk === undefined,
  ).length;
  const parts = [
    ran === 0 ? 'no required check ran' : `${passed}/${ran} required pass`,
    ...[...ofSdk].map(([sdk, own]) => `${plural(own.length, 'difference')} of ${sdk}, not of the environment`),
    expected > 0 && `${plural(expected, 'failure')} expected`,
    states.harness_error > 0 && `${plural(states.harness_error, 'error')} of the suite itself`,
    states.warn > 0 && plural(states.warn, 'warning'),
    states.not_testable > 0 && `${states.not_testable} not testable (${shortReasons(notTestable)})`,
    states.not_applicable > 0 && `${states.not_applicable} n/a`,
  ];
  return parts.filter(Boolean).join('; ');
}

/**
 * Returns the short form of a reason why a check is not testable, as in the headline; 'other reasons' if it has none.
 *
 * @example
 * shortReason("needs the fixture environment 'conformance' (docs/development/conformance-fixture.md)"); // 'no fixture'
 */
export const shortReason = (reason: string): string =>
  SHORT_REASONS.find(([pattern]) => pattern.test(reason))?.[1] ?? 'other reasons';

function shortReasons(notTestable: readonly Untested[]): string {
  const counts = new Map<string, number>();
  for (const { reason, checks } of notTestable) {
    const short = shortReason(reason);
    counts.set(short, (counts.get(short) ?? 0) + checks.length);
  }
  if (counts.size === 1) return [...counts.keys()].join();
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([short, count]) => `${count} ${short}`)
    .join(', ');
}

/** A check that is expected to fail. */
export interface ExpectedFailure {
  readonly reason: string;
  /** The check may also pass. */
  readonly isFlaky: boolean;
  /** Name of the SDK that causes the failure, in every environment. */
  readonly sdk?: string;
}

/**
 * Checks that are expected to fail, by id.
 *
 * @example
 * const expectations: ExpectedFailures = parseExpectedFailures('session/ping # known defect');
 * expectations.get('session/ping')?.reason; // 'known defect'
 */
export type ExpectedFailures = ReadonlyMap<string, ExpectedFailure>;

const SOMETIMES = /^sometimes:\s*/i;

/**
 * A file of expected failures is not valid; the message names the line.
 *
 * @example
 * if (error instanceof ExpectedFailuresError) console.error(error.message);
 */
export class ExpectedFailuresError extends Error {
  override readonly name = 'ExpectedFailuresError';
}

/**
 * Parses a file of expected failures: one check id per line, followed by `# reason`. Ignores empty lines and lines that
 * begin with `#`. A reason that begins with `sometimes:` marks a check that may also pass.
 *
 * @throws ExpectedFailuresError if a line is not valid
 * @example
 * parseExpectedFailures('session/ping # known defect');
 */
export function parseExpectedFailures(text: string): ExpectedFailures {
  const expectations = new Map<string, ExpectedFailure>();
  const lines = withoutByteOrderMark(text).split(/\r\n|\r|\n/);
  for (const [index, line] of lines.entries()) {
    const at = line.indexOf('#');
    const id = (at < 0 ? line : line.slice(0, at)).trim();
    if (id === '') continue;
    if (!/^[^\s/]+\/\S+$/.test(id)) {
      throw new ExpectedFailuresError(
        `invalid line ${index + 1}: expected one check id, as in 'session/ping # reason', got '${id}'`,
      );
    }
    const output = at < 0 ? '' : line.slice(at + 1).trim();
    const reason = output.replace(SOMETIMES, '') || 'no reason given';
    expectations.set(id, { reason, isFlaky: SOMETIMES.test(output) });
  }
  return expectations;
}

/**
 * Exit codes of `ors conformance`; an interrupted run has that of its signal.
 *
 * @example
 * const { verdict } = parseResults(await readFile('results.json', 'utf8'));
 * process.exitCode = EXIT_CODES[verdict.outcome];
 */
export const EXIT_CODES = {
  conforms: 0,
  violations: 1,
  usage: 2,
  'no-target': 3,
  'harness-error': 4,
  incomplete: 5,
  interrupted: 130,
} as const satisfies Record<Verdict['outcome'] | 'usage' | 'no-target', number>;
