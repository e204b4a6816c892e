import { interop } from './jest.config.mjs';

/** Runs the conformance checks against the Python packages, and against our server and client. */
export default { ...interop, testMatch: ['<rootDir>/test/interop/conformance{,-client}.test.ts'] };
