import { availableParallelism } from 'node:os';

/** Native ESM; the package's own names lead to its sources, and only the programs that tests start to what was built. */
export const base = {
  reporters: ['default', '<rootDir>/scripts/closing-line.mjs'],
  // Tests wait more than they work.
  maxWorkers: Math.max(4, availableParallelism()),
  globalSetup: '<rootDir>/test/support/build.mjs',
  // The rest of the folder is large, and no test looks for modules there.
  roots: ['bench', 'examples', 'generated', 'scripts', 'src', 'test'].map((folder) => `<rootDir>/${folder}`),
  testEnvironment: 'node',
  // For tests that hang. A busy machine is no fault of the code.
  testTimeout: 180_000,
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    '^ors-kit$': '<rootDir>/src/index.ts',
    '^ors-kit/trace$': '<rootDir>/src/trace/client/index.ts',
    '^ors-kit/bridges/(mcp|ai|openai-agents|replay)$': '<rootDir>/src/bridges/$1/index.ts',
    '^ors-kit/trace/server$': '<rootDir>/src/trace/server/index.ts',
    '^ors-kit/(server|client|openapi|testing|rollout|validate|generate|conformance|sandbox)$':
      '<rootDir>/src/$1/index.ts',
  },
  transform: {
    '^.+\\.ts$': [
      'ts-jest',
      {
        useESM: true,
        diagnostics: false,
        tsconfig: {
          target: 'ES2022',
          module: 'ESNext',
          moduleResolution: 'Bundler',
          isolatedModules: true,
          verbatimModuleSyntax: true,
          allowImportingTsExtensions: true,
          rewriteRelativeImportExtensions: false,
          esModuleInterop: true,
          sourceMap: true,
        },
      },
    ],
  },
};

export default {
  ...base,
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/test/interop/',
    '<rootDir>/test/cluster/',
    '<rootDir>/test/package/',
    '<rootDir>/test/soak/',
    '<rootDir>/test/hostile/',
    '<rootDir>/test/torture/',
    '<rootDir>/test/conformance/mutants/',
  ],
};
