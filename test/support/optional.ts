import { describe, test } from '@jest/globals';

type OrSkipped<Run extends { readonly skip: unknown }> = Run | Run['skip'];
type Tests = OrSkipped<typeof test>;
export type Suites = OrSkipped<typeof describe>;

/** Like `test`, but prints what is missing and skips the test if an optional dependency is missing. */
export const testUnless = (missing: string | undefined): Tests => unless(missing, test);

/** Like `describe`, but prints what is missing and skips the tests if an optional dependency is missing. */
export const describeUnless = (missing: string | undefined): Suites => unless(missing, describe);

function unless<Skipped, Run extends { readonly skip: Skipped }>(missing: string | undefined, run: Run) {
  if (missing === undefined) return run;
  process.stderr.write(`SKIPPED: ${missing}\n`);
  const { skip } = run;
  return skip;
}
