import { base } from '../../jest.config.mjs';

const { globalSetup: _nothingIsBuilt, ...rest } = base;

/** Minutes in which the trace store loses processes, disk and the ends of its files. */
export default {
  ...rest,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/torture/**/*.test.ts'],
  testTimeout: 900_000,
  maxWorkers: 1,
};
