import { availableParallelism } from 'node:os';

/**
 * Runs suites as native Node modules (test/support/jest). The package's names resolve to its sources; only programs that
 * tests start use the build.
 */
export const base = {
  reporters: ['default', '<rootDir>/scripts/closing-line.mjs'],
  // One more than cores, because tests also wait.
  maxWorkers: availableParallelism() + 1,
  // A worker with a larger heap after a suite is replaced.
  workerIdleMemoryLimit: '300MB',
  globalSetup: '<rootDir>/test/support/build.mjs',
  // Other folders are large and have no modules for tests.
  roots: ['bench', 'examples', 'generated', 'scripts', 'src', 'test'].map((folder) => `<rootDir>/${folder}`),
  testEnvironment: '<rootDir>/test/support/jest/environment.mjs',
  runtime: '<rootDir>/test/support/jest/runtime.cjs',
  testSequencer: '<rootDir>/test/support/jest/sequencer.cjs',
  // For tests that hang. On a busy machine tests take up to a third of it.
  testTimeout: 90_000,
  transform: {},
};

/** Suffix of suites that take minutes; they run in `make slow`. */
export const SLOW = '.slow.test.ts';

export default {
  ...base,
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: [
    '/node_modules/',
    `${SLOW}$`,
    '<rootDir>/test/interop/',
    '<rootDir>/test/cluster/',
    '<rootDir>/test/package/',
    '<rootDir>/test/soak/',
    '<rootDir>/test/hostile/',
    '<rootDir>/test/torture/',
    '<rootDir>/test/conformance/mutants/',
  ],
};
