import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { newFolder } from './trace/store/stores.ts';

// They have no types, so they are imported by names that the compiler does not follow.
const [scripts, checks] = ['../scripts/licenses.mjs', './package/licenses.mjs'];
const { licenseOf, packagesOf } = await import(scripts as string);
const { checkLicenses } = await import(checks as string);

test('includes the licence of every bundled package', () => {
  expect(() => checkLicenses('.')).not.toThrow();
});

test('modules belong to the innermost package around them', () => {
  const modules = [
    '/home/me/src/main.tsx',
    '/home/me/node_modules/preact/hooks/dist/hooks.module.js',
    '/home/me/node_modules/preact/dist/preact.module.js',
    '/home/me/node_modules/a/node_modules/@scope/b/index.js?used',
    '\0vite/preload-helper.js',
  ];

  expect(packagesOf(modules)).toEqual([
    '/home/me/node_modules/a/node_modules/@scope/b',
    '/home/me/node_modules/preact',
    'node_modules/vite',
  ]);
});

test('fails the build for a bundled package without a licence', async () => {
  await using at = await newFolder();
  const folder = join(at.path, 'bare');
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'bare', version: '1.0.0', license: 'MIT' }));

  expect(() => licenseOf(folder)).toThrow(/bundled package bare has no licence text/);
  await writeFile(join(folder, 'LICENCE.md'), 'Permission is hereby granted');
  expect(licenseOf(folder)).toBe('bare 1.0.0 (MIT)\n\nPermission is hereby granted\n');
});
