import { base, SLOW } from '../jest.config.mjs';

/** What `make check` runs and `make test` does not: documents, examples, compilers, whole conformance runs. */
export default {
  ...base,
  rootDir: '..',
  testMatch: [`<rootDir>/test/**/*${SLOW}`],
};
