import { base } from '../../jest.config.mjs';

/** The tests with software that is not ours: each starts processes and waits for them. */
export default {
  ...base,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/interop/**/*.test.ts'],
  testTimeout: 300_000,
};
