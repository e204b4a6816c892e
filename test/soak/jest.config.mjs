import { base } from '../../jest.config.mjs';

const { globalSetup: _noBuild, ...rest } = base;

/** Minutes of load on servers that run from the sources. Runs one file at a time, so that each has the machine to itself. */
export default {
  ...rest,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/soak/**/*.test.ts'],
  testTimeout: 600_000,
  maxWorkers: 1,
};
