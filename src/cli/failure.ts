import { readFile } from 'node:fs/promises';
import { joinWords, oneLine, withoutByteOrderMark } from '../core/index.ts';
import { fileProblem } from '../core/node/index.ts';

/** Exit codes of most commands. */
export const EXIT = { failed: 1, toolRefused: 2, interrupted: 130 } as const;

/**
 * Runs a command and reports its failure.
 *
 * @param exitCode exit code of failures without their own.
 */
export type FailureReporter = (flags: object, run: () => Promise<void>, exitCode: number) => Promise<void>;

const MAX_LISTED_NAMES = 20;

/** Ends a command with a message for the user and an exit code. */
export class CliError extends Error {
  override readonly name = 'Failure';
  /** Undefined for the exit code of the command for failures. */
  readonly exitCode: number | undefined;

  constructor(message: string, { exitCode, cause }: { exitCode?: number | undefined; cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.exitCode = exitCode;
  }
}

export const noResponse = (seconds: number): CliError =>
  new CliError(`no response within ${seconds} s; increase --timeout <seconds>`);

/** Returns the only name. @throws CliError if there are none or several. */
export function onlyName(kind: string, flag: string, names: readonly string[]): string {
  const [name, ...others] = names;
  if (name === undefined) throw new CliError(`the server has no ${kind}`);
  if (others.length === 0) return name;
  const list = joinWords(names.map(oneLine), { max: MAX_LISTED_NAMES });
  throw new CliError(`the server has several ${kind}s; select one with ${flag}: ${list}`);
}

/** Reads the file that a flag names, without a byte order mark. @throws CliError */
export async function readTextFile(file: string, flag: string): Promise<string> {
  try {
    return withoutByteOrderMark(await readFile(file, 'utf8'));
  } catch (cause) {
    throw new CliError(`${flag}: cannot read '${file}': ${fileProblem(cause)}`, { cause });
  }
}
