import { posix } from 'node:path';
import { onAbort } from '../core/index.ts';
import type { SandboxBackend } from './place.ts';
import { type AbortProgram, type ProgramEnd, type ProgramLimits, runToEnd } from './run-program.ts';
import { SandboxError } from './sandbox-error.ts';
import type { RunOptions } from './types.ts';

/** Linux takes no longer argument (MAX_ARG_STRLEN), in bytes. */
const MAX_ARGUMENT_LENGTH = 128 * 1024 - 1;

export type RunProgram = (
  argv: readonly string[],
  limits: ProgramLimits,
  options?: Omit<RunOptions, 'timeoutMs'>,
) => Promise<ProgramEnd>;

/** All programs of a place, until it is removed. */
export function createProgramRunner(place: SandboxBackend, env: Readonly<Record<string, string>>) {
  const running = new Map<Promise<ProgramEnd>, AbortProgram>();
  let removal: Promise<void> | undefined;

  const run: RunProgram = async (argv, limits, { signal, stdin, cwd = '.', env: moreEnv } = {}) => {
    signal?.throwIfAborted();
    if (removal) throw new SandboxError('removed', 'the sandbox is removed');
    // A folder or a program that is not there is a failure of the command, told as a shell tells it.
    const start = ['sh', '-c', 'cd -- "$1" && shift && exec "$@"', 'sh', posix.resolve(place.workdir, cwd), ...argv];
    refuseUnfit(start);
    const program = place.start({ argv: start, env: { ...env, ...moreEnv }, hasInput: stdin !== undefined });
    const { end, abort } = runToEnd(program, limits);
    running.set(end, abort);
    const stopListening = onAbort(signal, abort);
    // A program need not read all of its input.
    program.child.stdin?.on('error', () => {});
    program.child.stdin?.end(stdin);
    try {
      return await end;
    } finally {
      running.delete(end);
      stopListening();
    }
  };

  const remove = () => {
    removal ??= (async () => {
      for (const abort of running.values()) abort(new SandboxError('removed', 'the sandbox was removed meanwhile'));
      await Promise.allSettled(running.keys());
      await place.remove();
    })();
    return removal;
  };

  return { run, remove };
}

function refuseUnfit(argv: readonly string[]): void {
  for (const word of argv) {
    if (word.includes('\0')) throw new TypeError('a command or path holds U+0000, which no program can be given');
    const size = Buffer.byteLength(word);
    if (size <= MAX_ARGUMENT_LENGTH) continue;
    const remedy = 'write it into a file, and run that';
    throw new SandboxError(
      'too-large',
      `a command of ${size} bytes is over the system's ${MAX_ARGUMENT_LENGTH}: ${remedy}`,
    );
  }
}
