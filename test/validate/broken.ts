import type { Level } from '../../src/validate/index.ts';

/** One thing that is wrong, and the rule that tells it; `good` is as near to it as can be, with nothing wrong. */
export interface Broken {
  readonly rule: string;
  readonly level: Level;
  readonly why: string;
  readonly change: () => object;
  /** Default: the twin as it is. */
  readonly good?: () => object;
  /** How long a step may take, in ms. Default: longer than a busy machine needs. */
  readonly timeoutMs?: number;
  /** What the message must name. */
  readonly says: string;
}
