import type { CheckResult, ConformanceResults } from '../../../generated/conformance-results.ts';
import { validators } from '../../../generated/conformance-results-validators.ts';
import { withoutByteOrderMark } from '../../core/index.ts';
import type { CheckState } from '../result.ts';

/**
 * A check whose state differs between two runs, with the message of the later one.
 *
 * @example
 * const format = ({ check, from, to }: StateChange) => `${check}: ${from} -> ${to}`;
 * const lines = diffResults(parseResults(before), parseResults(after)).worse.map(format);
 */
export interface StateChange extends Pick<CheckResult, 'check' | 'level' | 'message'> {
  readonly from: CheckState;
  readonly to: CheckState;
}

/**
 * A check of only one of the runs.
 *
 * @example
 * const wasRequired = ({ state, level }: UnmatchedResult) => state === 'pass' && level === 'must';
 * const lost = diffResults(parseResults(before), parseResults(after)).gone.filter(wasRequired);
 */
export type UnmatchedResult = Pick<CheckResult, 'check' | 'state' | 'level'>;

/**
 * Differences between two runs.
 *
 * @example
 * const { worse, gone }: ResultsDiff = diffResults(parseResults(before), parseResults(after));
 * if (worse.length + gone.length > 0) process.exitCode = 1;
 */
export interface ResultsDiff {
  readonly better: readonly StateChange[];
  readonly worse: readonly StateChange[];
  /** Neither better nor worse: for example a failure that is not testable now. */
  readonly changed: readonly StateChange[];
  readonly added: readonly UnmatchedResult[];
  readonly gone: readonly UnmatchedResult[];
  readonly same: number;
}

/**
 * The text is not a results.json.
 *
 * @example
 * if (error instanceof InvalidResultsError) console.error(error.message);
 */
export class InvalidResultsError extends Error {
  override readonly name = 'InvalidResultsError';
}

/**
 * Parses a results.json.
 *
 * @throws InvalidResultsError if the text is not one
 * @example
 * const results = parseResults(await readFile('results.json', 'utf8'));
 */
export function parseResults(text: string): ConformanceResults {
  let value: unknown;
  try {
    value = JSON.parse(withoutByteOrderMark(text));
  } catch {
    throw new InvalidResultsError('not valid JSON; pass a results.json of ors conformance --report');
  }
  const isResults = validators.ConformanceResults;
  if (isResults(value)) return value;
  const { instancePath = '', message = '' } = isResults.errors?.[0] ?? {};
  throw new InvalidResultsError(`not a results.json of version 1: ${instancePath || 'the document'} ${message}`);
}

/**
 * Compares two runs, check by check.
 *
 * @example
 * const { worse } = diffResults(parseResults(before), parseResults(after));
 */
export function diffResults(before: ConformanceResults, after: ConformanceResults): ResultsDiff {
  const earlier = new Map(before.results.map((result) => [result.check, result]));
  const later = new Set(after.results.map(({ check }) => check));
  const pairs = after.results.flatMap(({ check, state, level, message }) => {
    const { state: from } = earlier.get(check) ?? {};
    return from === undefined || from === state ? [] : [{ check, from, to: state, level, message }];
  });
  const of = (direction: DiffDirection) => pairs.filter(({ from, to }) => directionOf(from, to) === direction);
  const single = ({ check, state, level }: CheckResult) => ({ check, state, level });
  const added = after.results.filter(({ check }) => !earlier.has(check)).map(single);
  return {
    better: of('better'),
    worse: of('worse'),
    changed: of('changed'),
    added,
    gone: before.results.filter(({ check }) => !later.has(check)).map(single),
    same: after.results.length - pairs.length - added.length,
  };
}

type DiffDirection = 'better' | 'worse' | 'changed';

const BROKEN: readonly CheckState[] = ['warn', 'fail', 'harness-error'];
const isGood = (state: CheckState) => state === 'pass' || state === 'n/a';

function directionOf(from: CheckState, to: CheckState): DiffDirection {
  if (BROKEN.includes(to)) return BROKEN.indexOf(to) > BROKEN.indexOf(from) ? 'worse' : 'better';
  // A pass that is no longer testable is worse; a failure that is not testable is not fixed.
  if (to === 'not-testable') return from === 'pass' ? 'worse' : 'changed';
  return isGood(from) ? 'changed' : 'better';
}
