import type { Level } from '../../src/validate/index.ts';

/** One thing that is wrong, and the rule that tells it; `good` is as near to it as can be, with nothing wrong. */
export interface Broken {
  readonly rule: string;
  readonly level: Level;
  readonly why: string;
  readonly change: () => object;
  /** Left out if it is the twin as it is. */
  readonly good?: () => object;
  /** How long a step may take, in ms, and how many tasks are played. Default: longer than a busy machine needs, and 3. */
  readonly limits?: { readonly timeoutMs?: number; readonly tasks?: number };
  /** What the message must name. */
  readonly says: string;
}
