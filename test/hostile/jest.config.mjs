import { base } from '../../jest.config.mjs';

/** Attacks on real processes, one after the other: each measures what the one before it must have given back. */
export default {
  ...base,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/hostile/**/*.test.ts'],
  testTimeout: Number(process.env.ORS_HOSTILE_SCRIPTS) > 10_000 ? 1_200_000 : 180_000,
  maxWorkers: 1,
};
