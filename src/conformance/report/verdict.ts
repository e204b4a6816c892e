import type { CheckResult, StaleExpectation, Summary, Verdict } from '../../../generated/conformance-results.ts';
import { plural } from '../../core/index.ts';
import { NO_RESULT } from '../checks/calls/reading.ts';
import { SERVER_UNREACHABLE } from '../run.ts';
import { EXIT_CODES } from './exit-codes.ts';
import type { ExpectedFailures } from './expectations.ts';

/** What decides whether a run is a success. */
export interface VerdictPolicy {
  /** Warnings fail the run. Default: false. */
  readonly strict?: boolean;
  /** Something that is not testable fails the run. Default: false. */
  readonly requireComplete?: boolean;
  /** Checks that may fail and warn, and must not pass unless they do so sometimes. Default: none. */
  readonly expectations?: ExpectedFailures;
  /** The exit code of the signal that ended the run early. Default: it was not ended early. */
  readonly interrupted?: number;
}

/** Whether the server conforms, by results whose expected failures are marked. */
export function decideVerdict(
  results: readonly CheckResult[],
  { states, required }: Summary,
  policy: VerdictPolicy,
  knownChecks: readonly string[],
): Verdict {
  const stale = staleOf(results, policy.expectations ?? new Map(), knownChecks);
  const unexpected = results.filter(({ expected_failure }) => expected_failure === null);
  const fails = unexpected.filter(({ state }) => state === 'fail').length;
  const warns = policy.strict ? unexpected.filter(({ state }) => state === 'warn').length : 0;
  const problems: readonly (readonly [Exclude<Verdict['outcome'], 'conforms'>, string | false])[] = [
    ['interrupted', policy.interrupted !== undefined && 'the run was interrupted'],
    ['violations', fails > 0 && `${plural(fails, 'required check')} failed`],
    ['violations', warns > 0 && `${plural(warns, 'warning')}, which --strict takes for failures`],
    ...stale.map(({ check, problem }) => ['violations', `expected failure ${check}: ${problem}`] as const),
    [
      'harness-error',
      states.harness_error > 0 && `${plural(states.harness_error, 'check')} broke by fault of the suite`,
    ],
    ['incomplete', results.some(({ message }) => message === SERVER_UNREACHABLE) && 'the server ended during the run'],
    [
      'incomplete',
      results.some(({ message }) => message?.startsWith(NO_RESULT)) &&
        'every call that was made ended in an error event, so that no result was seen; give a good input by --input',
    ],
    ['incomplete', required.ran === 0 && 'a run without a required check shows nothing'],
    [
      'incomplete',
      policy.requireComplete === true &&
        states.not_testable > 0 &&
        `${plural(states.not_testable, 'check')} could not be made, and --require-complete asks for all`,
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
