import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { posix } from 'node:path';
import type { Writable } from 'node:stream';
import { Mutex, onAbort, startTimer } from '../core/index.ts';
import {
  type ReachedLimit,
  type RunOptions,
  SandboxError,
  type SandboxGuarantees,
  type SandboxHandle,
  type SandboxProvider,
} from './types.ts';

/** Implementation of a provider: how it starts programs, and removes the sandbox. */
export type SandboxBackend = {
  provider: SandboxProvider;
  handle: SandboxHandle;
  workdir: string;
  guarantees: SandboxGuarantees;
  /** Folders for `save`, relative to `root`, as commands see them. Undefined if the provider cannot save. */
  saved?: { root: string; names: readonly string[] };
  start(program: ProgramSpec): StartedProgram;
  remove(): Promise<void>;
};

export type ProgramSpec = {
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Connects stdin of the program to the child process. */
  hasInput: boolean;
};

/** Program started by a provider, with pipes for its output. */
export type StartedProgram = {
  child: ChildProcess;
  /** Ends the program and all of its descendants. */
  kill(): void | Promise<void>;
  /** Ends the descendants of a program that has exited, for providers where these would survive it. */
  killRemaining?(): void;
  /** Watches limits that only the provider can observe; called once. Returns a function that stops watching. */
  watch?(reached: (limit: ReachedLimit) => void, failed: (error: unknown) => void): () => Promise<void>;
  /** Returns the exit code after the end. Throws if the provider failed, not the program. */
  exitCode(stderr: string): number | Promise<number>;
};

export type ProgramLimits = {
  timeoutMs: number;
  stdoutBytes: number;
  stderrBytes: number;
  /** Receives all of stdout, of which nothing is kept then. */
  stdoutTo?: Writable;
};

export type ProgramEnd = {
  exitCode: number | null;
  stopped: ReachedLimit | null;
  stdout: OutputCollector;
  stderr: OutputCollector;
  durationMs: number;
};

export type RunProgram = (
  argv: readonly string[],
  limits: ProgramLimits,
  options?: Omit<RunOptions, 'timeoutMs'>,
) => Promise<ProgramEnd>;

/** Runs the programs of a sandbox until it is removed. */
export function createProgramRunner(backend: SandboxBackend, env: Readonly<Record<string, string>>) {
  const running = new Map<Promise<ProgramEnd>, AbortProgram>();
  const exclusive = new Mutex();
  let removal: Promise<void> | undefined;

  const run: RunProgram = async (argv, limits, options) => {
    if (!exclusive.isIdle) await exclusive.idle();
    return start(argv, limits, options);
  };

  /** Runs a task while no other program runs; its own programs are started by the function that it receives. */
  const runAlone = <T>(task: (run: RunProgram) => Promise<T>): Promise<T> =>
    exclusive.run(async () => {
      await Promise.allSettled(running.keys());
      return task(start);
    });

  const start: RunProgram = async (argv, limits, { signal, stdin, cwd = '.', env: moreEnv } = {}) => {
    signal?.throwIfAborted();
    if (removal) throw new SandboxError('removed', 'the sandbox has been removed');
    // The shell reports a missing folder or program like a failure of the command.
    const words = ['sh', '-c', 'cd -- "$1" && shift && exec "$@"', 'sh', posix.resolve(backend.workdir, cwd), ...argv];
    assertArguments(words);
    const program = backend.start({ argv: words, env: { ...env, ...moreEnv }, hasInput: stdin !== undefined });
    const { end, abort } = runToEnd(program, limits);
    running.set(end, abort);
    const stopListening = onAbort(signal, abort);
    // Programs may exit before they have read all of their input.
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
      await exclusive.idle();
      await backend.remove();
    })();
    return removal;
  };

  return { run, runAlone, remove };
}

/** Maximum length of an argument in Linux (MAX_ARG_STRLEN), in bytes. */
const MAX_ARGUMENT_LENGTH = 128 * 1024 - 1;

function assertArguments(argv: readonly string[]): void {
  for (const word of argv) {
    if (word.includes('\0'))
      throw new TypeError('invalid command or path: arguments of programs cannot contain U+0000');
    const size = Buffer.byteLength(word);
    if (size <= MAX_ARGUMENT_LENGTH) continue;
    const remedy = 'write it into a file, and run that';
    throw new SandboxError(
      'too-large',
      `a command of ${size} bytes is over the system's ${MAX_ARGUMENT_LENGTH}: ${remedy}`,
    );
  }
}

/** Ends a program; its `end` then rejects with the reason. */
export type AbortProgram = (reason: unknown) => void;

/** A program with more output than this is ended, since reading on would only keep this process busy. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
/** Time for the output to end after the program has exited; a process that was not ended may keep it open. */
const DRAIN_MS = 1_000;

type StopCause = { limit: ReachedLimit } | { reason: unknown };

/** Waits for the end of a program, and ends it when it reaches a limit. */
export function runToEnd(
  program: StartedProgram,
  limits: ProgramLimits,
): { end: Promise<ProgramEnd>; abort: AbortProgram } {
  let stop: StopCause | undefined;
  let killed: void | Promise<void>;
  const stopBecause = (cause: StopCause) => {
    if (stop) return;
    stop = cause;
    killed = program.kill();
    // Awaited below; until then a failure is not unhandled.
    void Promise.resolve(killed).catch(() => {});
  };
  const abort = (reason: unknown) => stopBecause({ reason });

  const waitForEnd = async (): Promise<ProgramEnd> => {
    const started = performance.now();
    const stdout = collectOutput(limits.stdoutBytes);
    const stderr = collectOutput(limits.stderrBytes);
    const collect = (collector: OutputCollector, bytes: number) => (chunk: Buffer) => {
      collector.add(chunk);
      if (collector.totalBytes > Math.max(MAX_OUTPUT_BYTES, bytes)) stopBecause({ limit: 'output' });
    };
    if (limits.stdoutTo) pipeOutput(program.child, limits.stdoutTo);
    else program.child.stdout?.on('data', collect(stdout, limits.stdoutBytes));
    program.child.stderr?.on('data', collect(stderr, limits.stderrBytes));
    const cancelTimer = startTimer(limits.timeoutMs, () => stopBecause({ limit: 'time' }));
    const unwatch = program.watch?.((limit) => stopBecause({ limit }), abort);
    try {
      await waitForClose(program);
    } finally {
      cancelTimer();
      await unwatch?.();
    }
    await killed;
    const durationMs = Math.round(performance.now() - started);
    const outputs = { stdout, stderr, durationMs };
    if (stop && 'reason' in stop) throw stop.reason;
    if (stop) return { exitCode: null, stopped: stop.limit, ...outputs };
    return { exitCode: await program.exitCode(stderr.read().text), stopped: null, ...outputs };
  };

  return { end: waitForEnd(), abort };
}

/** If the stream fails, the rest of the output is discarded, so that the program does not wait for it. */
function pipeOutput({ stdout }: ChildProcess, sink: Writable): void {
  sink.on('error', () => stdout?.resume());
  stdout?.pipe(sink);
}

/** Returns the exit code of a process that has ended, as in a shell: 128 plus the number of the signal that ended it. */
export const shellExitCode = ({ exitCode, signalCode }: ChildProcess): number =>
  exitCode ?? 128 + (signalCode ? constants.signals[signalCode] : 0);

/** Waits until the program has exited and its output is read. Rejects if the program cannot be started. */
function waitForClose({ child, killRemaining }: StartedProgram): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('error', (cause) => {
      reject(new SandboxError('failed', `cannot start a program of the sandbox: ${cause.message}`, { cause }));
    });
    child.once('close', () => resolve());
    if (!killRemaining) return;
    child.once('exit', () => {
      killRemaining();
      const closeOutput = () => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      };
      child.once('close', startTimer(DRAIN_MS, closeOutput, { afterIo: true }));
    });
  });
}

export type OutputCollector = ReturnType<typeof collectOutput>;

/** Keeps `limit` bytes of a stream: half of them from its beginning, half from its end, where errors usually are. */
export function collectOutput(limit: number) {
  const headLimit = Math.ceil(limit / 2);
  const tailLimit = limit - headLimit;
  const head: Buffer[] = [];
  let tail: Buffer[] = [];
  let seen = 0;
  let headSize = 0;
  let tailSize = 0;

  const add = (chunk: Buffer): void => {
    seen += chunk.length;
    const forHead = chunk.subarray(0, headLimit - headSize);
    // Copied, since a slice would keep the whole buffer of the pipe.
    if (forHead.length > 0) head.push(Buffer.from(forHead));
    headSize += forHead.length;
    const forTail = chunk.subarray(forHead.length);
    if (forTail.length === 0) return;
    tail.push(forTail);
    tailSize += forTail.length;
    if (tailSize > 2 * tailLimit + 64 * 1024) {
      tail = [lastBytes(tail, tailLimit)];
      tailSize = tailLimit;
    }
  };

  /** Returns the kept bytes as text, and the number of omitted bytes. */
  const read = (): { text: string; omitted: number } => {
    const first = Buffer.concat(head);
    const last = lastBytes(tail, tailLimit);
    if (first.length + last.length === seen) return { text: decode(Buffer.concat([first, last])), omitted: 0 };
    const before = withoutSplitEnd(first);
    const after = withoutSplitStart(last);
    const omitted = seen - before.length - after.length;
    return { text: `${decode(before)}\n[... ${omitted} bytes left out ...]\n${decode(after)}`, omitted };
  };

  return {
    /** Number of bytes so far, including omitted ones. */
    get totalBytes() {
      return seen;
    },
    add,
    /** Returns the bytes that were kept. */
    bytes: () => Buffer.concat([...head, lastBytes(tail, tailLimit)]),
    read,
  };
}

function lastBytes(chunks: Buffer[], limit: number): Buffer {
  const all = Buffer.concat(chunks);
  return Buffer.from(all.subarray(Math.max(0, all.length - limit)));
}

const decode = (bytes: Buffer) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

/** Removes the first bytes of a character whose other bytes were omitted. */
function withoutSplitEnd(bytes: Buffer): Buffer {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] as number;
    if (isContinuation(byte)) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

/** Removes the last bytes of a character whose first bytes were omitted. */
function withoutSplitStart(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start])) start += 1;
  return bytes.subarray(start);
}
