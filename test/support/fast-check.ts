import fc from 'fast-check';

/** How many times as many runs a property gets: 1 in `make test`, more before a release (`make soak`). */
const FACTOR = Number(process.env.ORS_TEST_RUNS ?? 1);
if (!(FACTOR > 0)) throw new Error(`invalid ORS_TEST_RUNS '${process.env.ORS_TEST_RUNS}': expected a number above 0`);

/** Runs of a property without `numRuns`. */
const DEFAULT_RUNS = 50;

/** @returns `numRuns` for a property with `count` runs in `make test`. */
export const runs = (count: number): number => Math.ceil(count * FACTOR);

fc.configureGlobal({ numRuns: runs(DEFAULT_RUNS) });

export default fc;
