import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a folder that is removed when it is disposed, or when the process exits. */
export function createTemporaryFolder(): Disposable & { path(name: string): string } {
  const folder = mkdtempSync(join(tmpdir(), 'ors-bench-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  return {
    path: (name) => join(folder, name),
    [Symbol.dispose]() {
      process.off('exit', remove);
      remove();
    },
  };
}
