import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for databases, gone at the end, also where that comes early. */
export function makeFolder(): Disposable & { path(name: string): string } {
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
