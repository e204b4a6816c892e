import { base } from '../../../jest.config.mjs';

/** Runs the suite against every mutant. */
export default {
  ...base,
  rootDir: '../../..',
  testMatch: ['<rootDir>/test/conformance/mutants/*.test.ts'],
};
