import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { orsGenerate, workshop } from './workshop.ts';

test('--check names the files that differ or are missing, and writes nothing', async () => {
  await using shop = await workshop();
  const spec = await shop.write('tiny.schema.json', '{"$defs":{"Answer":{"type":"integer"}}}');
  await orsGenerate(spec, '--out', shop.folder);
  await shop.write('tiny.ts', 'edited');

  const { exitCode, stderr } = await orsGenerate(spec, '--out', shop.folder, '--check');

  expect(exitCode).toBe(1);
  expect(stderr).toContain(`stale: ${shop.path('tiny.ts')};`);
  expect(await readFile(shop.path('tiny.ts'), 'utf8')).toBe('edited');
});

test('--check succeeds if the files are up to date', async () => {
  await using shop = await workshop();
  const spec = await shop.write('tiny.schema.json', '{"$defs":{"Answer":{"type":"integer"}}}');
  await orsGenerate(spec, '--out', shop.folder);

  expect(await orsGenerate(spec, '--out', shop.folder, '--check')).toEqual({ exitCode: 0, stderr: '' });
});
