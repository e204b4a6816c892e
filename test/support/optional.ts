import { describe, test } from '@jest/globals';

type Tests = typeof test | typeof test.skip; // skipped for a printed reason only
export type Suites = typeof describe | typeof describe.skip; // skipped for a printed reason only

/** `test`; where something optional is missing, it skips and prints what is missing. */
export function testUnless(missing: string | undefined): Tests {
  if (missing === undefined) return test;
  tell(missing);
  return test.skip; // for the reason that was just printed
}

/** `describe`; where something optional is missing, it skips and prints what is missing. */
export function describeUnless(missing: string | undefined): Suites {
  if (missing === undefined) return describe;
  tell(missing);
  return describe.skip; // for the reason that was just printed
}

const tell = (missing: string) => process.stderr.write(`SKIPPED: ${missing}\n`);
