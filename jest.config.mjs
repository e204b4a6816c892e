import { availableParallelism } from 'node:os';

/**
 * Suites run on Node's own modules (test/support/jest). The package's names lead to its sources, and only the programs
 * that tests start to what was built.
 */
export const base = {
  reporters: ['default', '<rootDir>/scripts/closing-line.mjs'],
  // Tests also wait.
  maxWorkers: availableParallelism() + 1,
  // Heap after a suite above which a worker is replaced.
  workerIdleMemoryLimit: '150MB',
  globalSetup: '<rootDir>/test/support/build.mjs',
  // The rest of the folder is large, and no test looks for modules there.
  roots: ['bench', 'examples', 'generated', 'scripts', 'src', 'test'].map((folder) => `<rootDir>/${folder}`),
  testEnvironment: '<rootDir>/test/support/jest/environment.mjs',
  runtime: '<rootDir>/test/support/jest/runtime.cjs',
  // For tests that hang; a busy machine needs a third of it.
  testTimeout: 90_000,
  transform: {},
};

/** Ends the names of suites that need minutes, which run in `make slow`. */
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
