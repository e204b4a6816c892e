import { base } from '../../jest.config.mjs';

const { globalSetup: _noBuild, ...rest } = base;

/** Tests the trace store for minutes with killed processes, full disks and truncated files. */
export default {
  ...rest,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/torture/**/*.test.ts'],
  testTimeout: 1_200_000,
  maxWorkers: 1,
};
