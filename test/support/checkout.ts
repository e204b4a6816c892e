import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Built or linked in the copy instead of copied. */
const LEFT_OUT = new Set(['.git', '.cache', 'dist', 'node_modules']);

/** Replacement of a text that occurs exactly once in a source file. */
export interface Edit {
  /** Path from the root of the repository. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

export interface CheckoutCopy {
  readonly folder: string;
  /** Applies an edit. @returns a function that restores the file. */
  apply(edit: Edit): () => void;
}

/** Returns how often the text of an edit occurs in its file. The edit can be applied only if it occurs once. */
export const countOccurrences = ({ file, find }: Edit): number => readFileSync(file, 'utf8').split(find).length - 1;

/**
 * Copies the working tree, including uncommitted changes, into a temporary folder, and links node_modules. The folder is
 * removed when the process exits. Modification times are kept, so that make does not reinstall packages there.
 */
export function copyCheckout(prefix: string): CheckoutCopy {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  for (const name of readdirSync('.')) {
    if (!LEFT_OUT.has(name)) cpSync(name, join(folder, name), { recursive: true, preserveTimestamps: true });
  }
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  return {
    folder,
    apply({ file, find, replace }) {
      const path = join(folder, file);
      const text = readFileSync(path, 'utf8');
      writeFileSync(
        path,
        text.replace(find, () => replace),
      );
      return () => writeFileSync(path, text);
    },
  };
}
