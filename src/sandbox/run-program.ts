import type { ChildProcess } from 'node:child_process';
import { startTimer } from '../core/index.ts';
import { collectOutput, type OutputCollector } from './collect-output.ts';
import { SandboxError } from './sandbox-error.ts';
import type { ReachedLimit } from './types.ts';

/** A program that a provider has started. Its output comes through pipes. */
export type StartedProgram = {
  child: ChildProcess;
  /** Ends it, with all that it has started, whatever they do. */
  kill(): void | Promise<void>;
  /** Ends what a program has left behind that has ended by itself, where its end does not do so. */
  killRemaining?(): void;
  /** Watches limits that only the provider can see; called once. What it returns ends the watching. */
  watch?(reached: (limit: ReachedLimit) => void, failed: (error: unknown) => void): () => Promise<void>;
  /** After the end: the exit code, or an error where it was not the program that ended. */
  exitCode(stderr: string): number | Promise<number>;
};

export type ProgramLimits = { timeoutMs: number; stdoutBytes: number; stderrBytes: number };

export type ProgramEnd = {
  exitCode: number | null;
  stopped: ReachedLimit | null;
  stdout: OutputCollector;
  stderr: OutputCollector;
  durationMs: number;
};

/** Ends a program from outside; its `end` then rejects with the reason. */
export type AbortProgram = (reason: unknown) => void;

/** Output beyond this many bytes has no end: reading on would only keep this process busy. */
const ENDLESS_BYTES = 64 * 1024 * 1024;
/** How long to wait for the end of the output of what a sweep did not reach. */
const DRAIN_MS = 1_000;

type StopCause = { limit: ReachedLimit } | { reason: unknown };

/** Waits for the end of a program, and ends it at a limit. */
export function runToEnd(
  program: StartedProgram,
  limits: ProgramLimits,
): { end: Promise<ProgramEnd>; abort: AbortProgram } {
  let stop: StopCause | undefined;
  let killed: void | Promise<void>;
  const stopBy = (why: StopCause) => {
    if (stop) return;
    stop = why;
    killed = program.kill();
    // Awaited below; until then a failure is not unhandled.
    void Promise.resolve(killed).catch(() => {});
  };
  const abort = (reason: unknown) => stopBy({ reason });

  const waitForEnd = async (): Promise<ProgramEnd> => {
    const started = performance.now();
    const [stdout, stderr] = [collectOutput(limits.stdoutBytes), collectOutput(limits.stderrBytes)];
    const collect = (collector: OutputCollector, bytes: number) => (chunk: Buffer) => {
      collector.add(chunk);
      if (collector.totalBytes > Math.max(ENDLESS_BYTES, bytes)) stopBy({ limit: 'output' });
    };
    program.child.stdout?.on('data', collect(stdout, limits.stdoutBytes));
    program.child.stderr?.on('data', collect(stderr, limits.stderrBytes));
    const cancelTimer = startTimer(limits.timeoutMs, () => stopBy({ limit: 'time' }));
    const unwatch = program.watch?.((limit) => stopBy({ limit }), abort);
    try {
      await closed(program);
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

/** Until the program has ended and its output is read. Rejects where it could not be started. */
function closed({ child, killRemaining }: StartedProgram): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('error', (cause) => {
      reject(new SandboxError('failed', `a program of the sandbox cannot be started: ${cause.message}`, { cause }));
    });
    child.once('close', () => resolve());
    if (!killRemaining) return;
    child.once('exit', () => {
      killRemaining();
      const letGo = () => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      };
      child.once('close', startTimer(DRAIN_MS, letGo, { afterIo: true }));
    });
  });
}
