import { availableParallelism } from 'node:os';
import { base } from '../../jest.config.mjs';

/** Tests with other software: each starts processes and waits for them. */
export const interop = {
  ...base,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/interop/**/*.test.ts'],
  // A third of the time is spent waiting.
  maxWorkers: availableParallelism() + 1,
  testTimeout: 300_000,
};

export default {
  ...interop,
  globalSetup: '<rootDir>/test/interop/fork-servers.mjs',
  globalTeardown: '<rootDir>/test/interop/end-fork-servers.mjs',
  // They wait for minutes; `make conformance` runs them.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/interop/conformance(-client)?\\.test\\.ts'],
};
