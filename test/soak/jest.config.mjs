import { base } from '../../jest.config.mjs';

const { globalSetup: _nothingIsBuilt, ...rest } = base;

/** Minutes of load on servers that run from the sources, one after the other, so that each has the machine to itself. */
export default {
  ...rest,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/soak/**/*.test.ts'],
  testTimeout: 600_000,
  maxWorkers: 1,
};
