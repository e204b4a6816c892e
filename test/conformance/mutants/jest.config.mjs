import { base } from '../../../jest.config.mjs';

/** The kill matrix: runs the suite against every mutant. */
export default {
  ...base,
  rootDir: '../../..',
  testMatch: ['<rootDir>/test/conformance/mutants/*.test.ts'],
};
