import type { Verdict } from '../../../generated/conformance-results.ts';

/** What the exit code of `ors conformance` says; an interrupt has the one of its signal. */
export const EXIT_CODES = {
  conforms: 0,
  violations: 1,
  usage: 2,
  'no-target': 3,
  'harness-error': 4,
  incomplete: 5,
  interrupted: 130,
} as const satisfies Record<Verdict['outcome'] | 'usage' | 'no-target', number>;
