import { Worker } from 'node:worker_threads';
import { abortable, deadlineSignal, isHttpUrl, oneLine } from '../../core/index.ts';
import { describeThrown } from '../../hosting/index.ts';
import type { TrialTarget } from '../../trial/index.ts';
import { CliError } from '../failure.ts';
import { connectToServer } from '../remote/connect.ts';
import type { ConnectionFlags } from '../remote/flags.ts';

/**
 * Connects to a server, or loads a module within a time limit.
 *
 * @param load `loadTarget` or `importTarget`.
 * @throws CliError or Error
 */
export async function openSubject(
  name: string,
  flags: ConnectionFlags,
  seconds: number,
  signal: AbortSignal,
  load: (module: string) => Promise<TrialTarget>,
): Promise<AsyncDisposable & { readonly target: TrialTarget }> {
  if (!isHttpUrl(name)) {
    const target = await loadInTime(name, seconds, signal, () => load(name));
    return { target, [Symbol.asyncDispose]: async () => undefined };
  }
  const { timeout: _callTimeout, ...connection } = flags;
  const server = await connectToServer(name, connection, signal);
  return { target: { client: server.client }, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/**
 * Loads a module within a time limit. A module may wait forever, or throw an error that is not caught.
 *
 * @throws CliError after the time or for an uncaught error; errors of `load`; the signal's reason.
 */
export async function loadInTime<T>(
  module: string,
  seconds: number,
  signal: AbortSignal,
  load: () => Promise<T>,
): Promise<T> {
  const failure = (problem: string) => new CliError(`${oneLine(module)} ${problem}`);
  const tooLate = () => failure(`has not loaded within ${seconds} s; look for a wait outside of its functions`);
  const deadline = deadlineSignal(seconds * 1_000, tooLate, signal);
  const onThrown = (thrown: unknown) =>
    deadline.abort(failure(`threw an uncaught error while loading: ${describeThrown(thrown, 'message')}`));
  process.on('uncaughtException', onThrown);
  try {
    return await abortable(deadline.signal, load);
  } finally {
    deadline.release();
    process.off('uncaughtException', onThrown);
  }
}

const BEAT_MS = 500;

/**
 * Code of the watching worker; plain JavaScript, because it is evaluated from text. A blocked thread cannot be stopped, so
 * the worker kills the process.
 */
const WATCH = `
const { workerData } = require('node:worker_threads');
const { writeSync } = require('node:fs');
const beats = new Int32Array(workerData.beats);
let last = 0;
let since = Date.now();
setInterval(() => {
  const beat = Atomics.load(beats, 0);
  if (beat !== last) since = Date.now();
  last = beat;
  if (Date.now() - since < workerData.seconds * 1000) return;
  writeSync(2, workerData.message);
  process.kill(workerData.pid, 'SIGKILL');
}, ${BEAT_MS});`;

/** Kills the process with a message if the environment's code blocks the thread for this time, and with it Ctrl-C. */
export function guardAgainstBlocking(seconds: number): Disposable {
  const beats = new SharedArrayBuffer(4);
  const cells = new Int32Array(beats);
  const message = `\nors: the environment's code has blocked the process for ${seconds} s, and it was killed; look for an infinite loop\n`;
  const workerData = { beats, seconds: seconds + 2 * (BEAT_MS / 1000), message, pid: process.pid };
  const worker = new Worker(WATCH, { eval: true, workerData, execArgv: [], env: {} });
  worker.unref();
  const timer = setInterval(() => Atomics.add(cells, 0, 1), BEAT_MS).unref();
  return {
    [Symbol.dispose]() {
      clearInterval(timer);
      void worker.terminate();
    },
  };
}
