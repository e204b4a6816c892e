import { base } from '../../../jest.config.mjs';

/** The kill matrix: every mutant is a run of the suite. */
export default {
  ...base,
  rootDir: '../../..',
  testMatch: ['<rootDir>/test/conformance/mutants/*.test.ts'],
};
