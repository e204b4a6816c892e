import { base } from '../../jest.config.mjs';

/** Attacks on real processes. Runs one file at a time, because each measures the resources that are still in use. */
export default {
  ...base,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/hostile/**/*.test.ts'],
  testTimeout: Number(process.env.ORS_HOSTILE_SCRIPTS) > 10_000 ? 1_200_000 : 180_000,
  maxWorkers: 1,
};
