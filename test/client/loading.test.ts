import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

/** Returns the sizes in bytes of the files that a built module loads, without those that it imports on demand. */
async function loadedFiles(entry: URL): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  const open = [entry];
  for (let url = open.pop(); url; url = open.pop()) {
    if (sizes.has(url.href)) continue;
    const code = await readFile(fileURLToPath(url), 'utf8');
    sizes.set(url.href, Buffer.byteLength(code));
    for (const [, path = ''] of code.matchAll(/^(?:import|\}) .*"(\.[^"]+)";$/gm)) open.push(new URL(path, url));
  }
  return sizes;
}

test('ors-kit/client loads at most 100 KB of JavaScript', async () => {
  const files = await loadedFiles(new URL('../../dist/src/client/index.js', import.meta.url));
  const bytes = [...files.values()].reduce((sum, size) => sum + size, 0);

  expect(files.size).toBeGreaterThan(5);
  expect(bytes).toBeLessThanOrEqual(100_000);
});
