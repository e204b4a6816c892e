import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/** The most that importing an entry point may load from the package, in bytes. */
const LOADED = { client: 100_000, 'bridges/replay': 200_000 };
/** The largest file of types, in bytes. */
const TYPES = 60_000;

/** @returns how many bytes of a package Node loads for an entry point, without what is imported on demand. */
async function loadedBytes(folder, entry) {
  const options = { bundle: true, write: false, metafile: true, format: 'esm', platform: 'node', packages: 'external' };
  const file = `dist/src/${entry}/index.js`;
  const { metafile } = await build({ ...options, absWorkingDir: folder, entryPoints: [file], logLevel: 'error' });
  const loaded = new Set();
  const load = (path) => {
    if (loaded.has(path)) return;
    loaded.add(path);
    for (const { path: imported, kind, external } of metafile.inputs[path].imports) {
      if (!external && kind !== 'dynamic-import') load(imported);
    }
  };
  load(file);
  return [...loaded].reduce((sum, path) => sum + metafile.inputs[path].bytes, 0);
}

/** Checks that small entry points of a package stay small, and its files of types readable. */
export async function checkSizes(folder) {
  for (const [entry, most] of Object.entries(LOADED)) {
    const bytes = await loadedBytes(folder, entry);
    assert.ok(bytes <= most, `ors-kit/${entry} loads ${bytes} bytes, at most ${most}`);
    console.log(`ors-kit/${entry} loads ${(bytes / 1000).toFixed(1)} kB`);
  }
  const types = readdirSync(join(folder, 'dist'), { recursive: true }).filter((file) => file.endsWith('.d.ts'));
  assert.ok(types.length > 0);
  for (const file of types) {
    const { size } = statSync(join(folder, 'dist', file));
    assert.ok(size <= TYPES, `${file} has ${size} bytes, at most ${TYPES}`);
  }
}
