import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { fileProblem } from '../../core/node/index.ts';
import { defineFlags } from '../command.ts';
import { CliError } from '../failure.ts';
import { openTerminal, safeLines, type Terminal } from './terminal.ts';

/** Output for long texts or bytes; each write resolves when there is room for more. */
export interface TextOutput extends AsyncDisposable {
  write(content: string | Uint8Array): Promise<void>;
  /** Completes the output. */
  finish(): Promise<void>;
}

/** Opens standard output for lines of JSON; on a terminal, control characters are escaped. */
export function openStandardOutput(stream: NodeJS.WriteStream = process.stdout): TextOutput {
  // Bound now: `redirectStdout` replaces the method.
  const write = stream.write.bind(stream);
  return {
    async write(content) {
      const safe = stream.isTTY && typeof content === 'string' ? safeLines(content) : content;
      if (!write(safe)) await once(stream, 'drain');
    },
    finish: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Name of a file while it is being written. */
export const partialPath = (path: string): string => `${path}.part`;

/** Opens a file that gets its name once it is complete and on disk; until then it is `<name>.part`. @throws CliError */
export async function openFileOutput(path: string): Promise<TextOutput> {
  let file: FileHandle | undefined = await open(partialPath(path), 'w').catch((cause: unknown) => {
    throw new CliError(`cannot write '${path}': ${fileProblem(cause, 'write')}`, { cause });
  });
  const close = async () => {
    await file?.close();
    file = undefined;
  };
  return {
    async write(content) {
      await file?.appendFile(content);
    },
    async finish() {
      await file?.sync();
      await close();
      await rename(partialPath(path), path);
    },
    [Symbol.asyncDispose]: close,
  };
}

/** The same, but an incomplete file is deleted. */
export async function openAtomicFile(path: string): Promise<TextOutput> {
  const output = await openFileOutput(path);
  return {
    ...output,
    async [Symbol.asyncDispose]() {
      await output[Symbol.asyncDispose]();
      await rm(partialPath(path), { force: true });
    },
  };
}

/** Flag of commands with long output. */
export const pagerFlags = defineFlags({
  '--no-pager': 'print long output directly (default: on a terminal, in $PAGER, or less -FRX)',
});

/** A terminal whose output is complete when it is disposed of. */
type PagedTerminal = Terminal & AsyncDisposable;

/**
 * Opens standard output for a text that may be longer than the screen, in a pager. Writes to the terminal directly with
 * `--no-pager`, `--json` or `--csv`, if PAGER is empty or cat, and if the pager cannot be started; a pipe or a file never
 * gets a pager.
 */
export async function openPager(flags: {
  readonly pager: boolean;
  readonly json?: boolean;
  readonly csv?: boolean;
}): Promise<PagedTerminal> {
  const terminal = openTerminal();
  const [program = '', ...args] = (process.env.PAGER ?? 'less -FRX').trim().split(/\s+/);
  const isPaged = terminal.isInteractive && flags.pager && !flags.json && !flags.csv;
  const child = isPaged && program !== '' && program !== 'cat' ? await startPager(program, args) : undefined;
  if (!child) return { ...terminal, [Symbol.asyncDispose]: async () => {} };
  const exited = once(child, 'exit');
  let isComplete = false;
  // The user has left the pager before the end.
  child.once('exit', () => isComplete || process.exit());
  child.stdin.on('error', () => {});
  // Ctrl-C is for the pager.
  const ignore = () => {};
  process.on('SIGINT', ignore);
  return {
    ...terminal,
    print: (text) => void child.stdin.write(text),
    async [Symbol.asyncDispose]() {
      isComplete = true;
      child.stdin.end();
      await exited;
      process.off('SIGINT', ignore);
    },
  };
}

/** Returns undefined if the program cannot be started. */
async function startPager(program: string, args: readonly string[]) {
  // As git does: a plain `less` leaves short output on the screen, and keeps colours.
  const env = { LESS: 'FRX', ...process.env };
  const child = spawn(program, args, { stdio: ['pipe', 'inherit', 'inherit'], env });
  try {
    await once(child, 'spawn');
    return child;
  } catch {
    return undefined;
  }
}
