import { interop } from '../interop/jest.config.mjs';

/** Several servers behind real proxies; one file after the other, so that figures are of one cluster at a time. */
export default {
  ...interop,
  testMatch: ['<rootDir>/test/cluster/**/*.test.ts'],
  maxWorkers: 1,
};
