import { interop } from './jest.config.mjs';

/** The Python packages, and our own server and client, held against the conformance checks. */
export default { ...interop, testMatch: ['<rootDir>/test/interop/conformance{,-client}.test.ts'] };
