/** What the exit code of `ors call` and `ors play` says. */
export const EXIT = { failed: 1, toolRefused: 2, interrupted: 130 } as const;

/** What ends a command: one sentence for people, and the exit code. */
export class CliError extends Error {
  override readonly name = 'Failure';
  readonly exitCode: number;

  constructor(message: string, { exitCode = EXIT.failed, cause }: { exitCode?: number; cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.exitCode = exitCode;
  }
}
