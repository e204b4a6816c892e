import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { missingPlatforms } from '../scripts/complete-lock.ts';

const text = readFileSync('package-lock.json', 'utf8');

test('lists the packages of all platforms, so that npm ci works on each', () => {
  const missing = missingPlatforms(JSON.parse(text));

  expect(missing).toEqual({});
});

test('adds missing packages only for their platform', () => {
  const optionalDependencies = {
    '@tool/cli-linux-x64-musl': '1.2.3',
    '@tool/android-arm-eabi': '1.2.3',
    plugin: '^1.0.0',
  };

  const missing = missingPlatforms({ packages: { 'node_modules/tool': { dev: true, optionalDependencies } } });

  expect(missing).toEqual({
    'node_modules/@tool/cli-linux-x64-musl': {
      ...{ version: '1.2.3', dev: true, optional: true },
      ...{ os: ['linux'], cpu: ['x64'], libc: ['musl'] },
    },
    'node_modules/@tool/android-arm-eabi': {
      version: '1.2.3',
      dev: true,
      optional: true,
      os: ['android'],
      cpu: ['arm'],
    },
  });
});

test('names no registry', () => {
  expect(text).not.toMatch(/"resolved"/);
});
