import { pbkdf2 } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { WatchedFiles } from '../../src/cli/serve/watched-files.ts';
import { until } from '../support/until.ts';

test('reports a change that precedes the first look of watchFile', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ors-watched-'));
  const path = join(folder, 'environment.ts');
  writeFileSync(path, 'before');
  const changes: string[] = [];
  const files = new WatchedFiles((paths) => changes.push(...paths));

  // Each thread of libuv's pool, which looks at files, is busy.
  const busy = Array.from({ length: 4 }, () => promisify(pbkdf2)('', '', 100_000, 64, 'sha512'));
  files.add(path);
  writeFileSync(path, 'after');
  try {
    await until(() => changes.length > 0, 'the change is reported');
  } finally {
    files.close();
    await Promise.all(busy);
    rmSync(folder, { recursive: true });
  }

  expect(changes).toEqual([path]);
});
