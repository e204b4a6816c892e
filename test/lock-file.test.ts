import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { missingPlatforms } from '../scripts/complete-lock.ts';

const text = readFileSync('package-lock.json', 'utf8');

test('the lock file holds the packages of all platforms, so npm ci accepts it on each', () => {
  const missing = missingPlatforms(JSON.parse(text));

  expect(missing).toEqual({});
});

test('what a lock file lacks is added for its platform alone', () => {
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

test('the lock file names no registry', () => {
  expect(text).not.toMatch(/"resolved"/);
});
