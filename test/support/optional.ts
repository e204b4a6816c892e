import { describe, test } from '@jest/globals';

type OrSkipped<Run extends { readonly skip: unknown }> = Run | Run['skip'];
type Tests = OrSkipped<typeof test>;
export type Suites = OrSkipped<typeof describe>;

/** `test`; where something optional is missing, it prints what is missing and skips. */
export const testUnless = (missing: string | undefined): Tests => unless(missing, test);

/** `describe`; where something optional is missing, it prints what is missing and skips. */
export const describeUnless = (missing: string | undefined): Suites => unless(missing, describe);

function unless<Skipped, Run extends { readonly skip: Skipped }>(missing: string | undefined, run: Run) {
  if (missing === undefined) return run;
  process.stderr.write(`SKIPPED: ${missing}\n`);
  const { skip } = run;
  return skip;
}
