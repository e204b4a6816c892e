import { base, SLOW } from '../jest.config.mjs';

/**
 * Slow tests, which `make check` runs but `make test` does not: documents, examples, compilers,
 * conformance runs, attacks on sandboxes.
 */
export default {
  ...base,
  rootDir: '..',
  testMatch: [`<rootDir>/test/**/*${SLOW}`],
};
