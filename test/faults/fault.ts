/** Make target whose tests have to notice a fault. */
export type Target = 'test' | 'slow' | 'workers' | 'soak' | 'torture' | 'hostile' | 'interop';

/** Realistic one-line mistake in src/ that users would suffer from, and the suites that have to notice it. */
export interface Fault {
  /** Unique, kebab-case. */
  readonly id: string;
  readonly part: string;
  /** Path from the root of the repository. */
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** Path patterns for Jest. */
  readonly tests: readonly string[];
  /** @default 'test' */
  readonly target?: Target;
}
