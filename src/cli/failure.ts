import { readFile } from 'node:fs/promises';
import { errorMessage, joinWords, nearestName, noun, oneLine } from '../core/index.ts';

/** Exit codes of most commands. */
export const EXIT = { failed: 1, toolRefused: 2, interrupted: 130 } as const;

/** Runs a command and reports its failure: message and exit code. */
export type FailureReporter = (flags: object, run: () => Promise<void>) => Promise<void>;

const MAX_LISTED_NAMES = 20;

/** Ends a command with a message for the user and an exit code. */
export class CliError extends Error {
  override readonly name = 'Failure';
  readonly exitCode: number;

  constructor(message: string, { exitCode = EXIT.failed, cause }: { exitCode?: number; cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.exitCode = exitCode;
  }
}

/** Formats the error for an unknown name: suggests a similar name and lists the known ones. */
export function unknownName(kind: string, name: string, known: readonly string[]): string {
  const near = nearestName(name, known);
  const guess = near === undefined ? '' : ` Did you mean '${oneLine(near)}'?`;
  const names = joinWords(known.map(oneLine), { max: MAX_LISTED_NAMES });
  const list = known.length === 0 ? 'There is none.' : `There ${noun(known.length, 'is', 'are')}: ${names}.`;
  return `there is no ${kind} '${oneLine(name)}'.${guess} ${list}`;
}

/** Returns the only name. @throws CliError if there are none or several. */
export function onlyName(kind: string, flag: string, names: readonly string[]): string {
  const [name, ...others] = names;
  if (name === undefined) throw new CliError(`the server has no ${kind}`);
  if (others.length === 0) return name;
  const list = joinWords(names.map(oneLine), { max: MAX_LISTED_NAMES });
  throw new CliError(`the server has several ${kind}s; select one with ${flag}: ${list}`);
}

/**
 * Reads the file that a flag names.
 *
 * @param fail creates the error if the file cannot be read.
 */
export async function readTextFile(
  file: string,
  flag: string,
  fail = (message: string, options: ErrorOptions): Error => new CliError(message, options),
): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw fail(`${flag}: cannot read '${file}': ${errorMessage(cause)}`, { cause });
  }
}
