import fc from 'fast-check';

const { ORS_TEST_RUNS, ORS_TEST_SEED } = process.env;

/** Factor for the number of runs of properties: few in `make test`, many before a release (`make soak`). */
const FACTOR = Number(ORS_TEST_RUNS ?? 0.25);
if (!(FACTOR > 0 && FACTOR < Infinity))
  throw new Error(`invalid ORS_TEST_RUNS '${ORS_TEST_RUNS}': expected a number above 0`);

/** Seed of random values: the same in every `make test`, so that its result depends on the code alone; else random. */
const SEED = ORS_TEST_SEED ?? (ORS_TEST_RUNS === undefined ? '1' : undefined);
if (SEED !== undefined && !/^-?\d{1,9}$/.test(SEED))
  throw new Error(`invalid ORS_TEST_SEED '${SEED}': expected an integer, such as the seed of a failure`);

/** Number of runs of a property without `numRuns`, before the factor. */
const DEFAULT_RUNS = 50;

/** Returns `numRuns` for a property: `count` times the factor, rounded up. */
export const runs = (count: number): number => Math.ceil(count * FACTOR);

const SURROGATES = { first: 0xd800, count: 0x800 };
const codePoint = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES.count })
  .map((index) => String.fromCodePoint(index < SURROGATES.first ? index : index + SURROGATES.count));

/** Generates text of any code points. `fc.string({ unit: 'binary' })` does the same with a table of 85 MB. */
export const unicode = (constraints?: Omit<fc.StringConstraints, 'unit'>): fc.Arbitrary<string> =>
  fc.string({ ...constraints, unit: codePoint });

fc.configureGlobal({ numRuns: runs(DEFAULT_RUNS), ...(SEED === undefined ? {} : { seed: Number(SEED) }) });

export default fc;
