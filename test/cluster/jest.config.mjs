import { interop } from '../interop/jest.config.mjs';

/** Several servers behind real proxies. Runs one file at a time, so that only one cluster is measured. */
export default {
  ...interop,
  testMatch: ['<rootDir>/test/cluster/**/*.test.ts'],
  maxWorkers: 1,
};
