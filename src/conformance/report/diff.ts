import type { CheckResult, ConformanceResults } from '../../../generated/conformance-results.ts';
import { validators } from '../../../generated/conformance-results-validators.ts';
import type { State } from '../result.ts';

/** A check whose state is another one. */
export interface Change {
  readonly check: string;
  readonly from: State;
  readonly to: State;
  readonly level: CheckResult['level'];
  /** Of the later run. */
  readonly message: string | null;
}

/** A check that only one of the runs has. */
export interface Single {
  readonly check: string;
  readonly state: State;
  readonly level: CheckResult['level'];
}

/** What is different between two runs. */
export interface Difference {
  readonly better: readonly Change[];
  readonly worse: readonly Change[];
  /** Neither better nor worse: what was broken cannot be tested now, or does not apply. */
  readonly changed: readonly Change[];
  readonly added: readonly Single[];
  readonly gone: readonly Single[];
  readonly same: number;
}

/** The text is no results.json. */
export class NoResults extends Error {
  override readonly name = 'NoResults';
}

/** Reads a results.json. Throws NoResults. */
export function readResults(text: string): ConformanceResults {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new NoResults('it is no JSON; give a results.json of ors conformance --report');
  }
  const isResults = validators.ConformanceResults;
  if (isResults(value)) return value;
  const { instancePath = '', message = '' } = isResults.errors?.[0] ?? {};
  throw new NoResults(`it is no results.json of version 1: ${instancePath || 'the document'} ${message}`);
}

/** Compares two runs, check by check. */
export function differenceOf(before: ConformanceResults, after: ConformanceResults): Difference {
  const earlier = new Map(before.results.map((result) => [result.check, result]));
  const later = new Set(after.results.map(({ check }) => check));
  const pairs = after.results.flatMap(({ check, state, level, message }) => {
    const { state: from } = earlier.get(check) ?? {};
    return from === undefined || from === state ? [] : [{ check, from, to: state, level, message }];
  });
  const of = (way: Way) => pairs.filter(({ from, to }) => wayOf(from, to) === way);
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

type Way = 'better' | 'worse' | 'changed';

const BROKEN: readonly State[] = ['warn', 'fail', 'harness-error'];
const isWell = (state: State) => state === 'pass' || state === 'n/a';

function wayOf(from: State, to: State): Way {
  if (BROKEN.includes(to)) return BROKEN.indexOf(to) > BROKEN.indexOf(from) ? 'worse' : 'better';
  // A pass that can no longer be shown is lost; a failure that cannot is not mended.
  if (to === 'not-testable') return from === 'pass' ? 'worse' : 'changed';
  return isWell(from) ? 'changed' : 'better';
}
