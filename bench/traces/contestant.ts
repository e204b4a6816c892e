import type { blocksOf } from './bodies.ts';

/** A store that is written to and killed. */
export interface Contestant extends AsyncDisposable {
  /** Resolves when the store has acknowledged all of them. */
  write(client: number, blocks: ReturnType<typeof blocksOf>): Promise<unknown>;
  /** How many of these blocks somebody can read. */
  countStored(ids: ReadonlySet<string>): Promise<number>;
  /** Ends it at once, as when the machine takes its memory. */
  kill(): Promise<void>;
  bytes(): number | Promise<number>;
}
