import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, unwatchFile, watchFile } from 'node:fs';
import { hasCode } from '../../core/index.ts';

const INTERVAL_MS = 200;
/** Editors write in several steps, and tools write several files. */
const DEBOUNCE_MS = 100;

/**
 * Watches the contents of files, and the names in folders, for changes.
 *
 * Polls instead of subscribing to events: polling sees files that are replaced or do not exist yet, and works on every
 * file system, including those of containers and networks. The imports of an environment are few.
 */
export class WatchedFiles {
  readonly #fingerprints = new Map<string, string>();
  readonly #onChange: (paths: readonly string[]) => void;
  #debounceTimer: NodeJS.Timeout | undefined;

  constructor(onChange: (paths: readonly string[]) => void) {
    this.#onChange = onChange;
  }

  add(path: string): void {
    if (this.#fingerprints.has(path)) return;
    this.#fingerprints.set(path, fingerprint(path));
    watchFile(path, { interval: INTERVAL_MS }, this.#onPoll);
    // `watchFile` misses changes before its first poll, which is asynchronous.
    this.#onPoll();
  }

  /** Stops watching all other paths. */
  retainOnly(paths: ReadonlySet<string>): void {
    for (const path of this.#fingerprints.keys()) {
      if (paths.has(path)) continue;
      this.#fingerprints.delete(path);
      unwatchFile(path, this.#onPoll);
    }
  }

  close(): void {
    this.retainOnly(new Set());
    clearTimeout(this.#debounceTimer);
  }

  readonly #onPoll = () => {
    clearTimeout(this.#debounceTimer);
    this.#debounceTimer = setTimeout(() => this.#compare(), DEBOUNCE_MS);
  };

  /** Compares contents: saving a file unchanged is not a change. */
  #compare(): void {
    const changed: string[] = [];
    for (const [path, before] of this.#fingerprints) {
      const now = fingerprint(path);
      if (now === before) continue;
      this.#fingerprints.set(path, now);
      changed.push(path);
    }
    if (changed.length > 0) this.#onChange(changed);
  }
}

/** Returns a fingerprint of a file or folder; empty text if it does not exist. */
function fingerprint(path: string): string {
  try {
    return createHash('sha256').update(readFileSync(path)).digest('hex');
  } catch (error) {
    return hasCode(error, 'EISDIR') ? namesIn(path) : '';
  }
}

function namesIn(folder: string): string {
  try {
    return readdirSync(folder)
      .filter((name) => !name.startsWith('.'))
      .join('/');
  } catch {
    return '';
  }
}
