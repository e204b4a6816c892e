import type { Project, ProjectFile } from './project.ts';

/** The GitHub Action of a project. */
export function workflow({ language }: Project): ProjectFile {
  const steps = [
    'npm ci',
    ...(language === 'ts' ? ['npm run types'] : []),
    'npm test',
    'npm run validate',
    'npm run conformance -- --report conformance',
  ];
  const text = `# Tests the environment, validates it, and holds its server to the Open Reward Standard.
name: environment

on: [push, pull_request]

permissions:
  contents: read

jobs:
  test:
    runs-on: ubuntu-latest
    timeout-minutes: 20
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 24
          cache: npm
${steps.map((step) => `      - run: ${step}\n`).join('')}      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: conformance
          path: conformance
          if-no-files-found: ignore
`;
  return { path: '.github/workflows/environment.yml', text };
}
