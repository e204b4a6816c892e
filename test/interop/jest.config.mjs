import { base } from '../../jest.config.mjs';

/** The tests with software that is not ours: each starts processes and waits for them. */
export const interop = {
  ...base,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/interop/**/*.test.ts'],
  testTimeout: 300_000,
};

export default {
  ...interop,
  // Minutes of waiting; `make conformance` runs them.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/interop/conformance(-client)?\\.test\\.ts'],
};
