import { readFileSync, readlinkSync } from 'node:fs';
import { constants } from 'node:os';
import { basename } from 'node:path';
import { noun, plural } from '../core/index.ts';
import { CliError } from './failure.ts';

/** Signals that ask a process to stop: Ctrl-C, a service manager, a closed terminal. */
export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

const SIGNALS: readonly StopSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Listens for Ctrl-C and similar signals until disposed of. The reason of `signal` is a CliError with the conventional exit
 * code, such as 130; a second signal exits immediately. `interrupt` acts as if the process had received a signal.
 */
export function listenForInterrupts() {
  const controller = new AbortController();
  const interrupt = (name: StopSignal) => {
    const exitCode = 128 + constants.signals[name];
    if (controller.signal.aborted) process.exit(exitCode);
    controller.abort(new CliError('interrupted', { exitCode }));
  };
  const stopListening = onStopSignal(interrupt);
  return { signal: controller.signal, interrupt, [Symbol.dispose]: stopListening };
}

/**
 * Resolves to the name of the first stop signal; a second one exits immediately. Author code that blocks this thread
 * delays both.
 */
export function waitForStopSignal(beforeExit: () => void = () => {}): Promise<StopSignal> {
  return new Promise((resolve) => {
    let isStopping = false;
    onStopSignal((signal) => {
      if (isStopping) {
        beforeExit();
        process.exit(130);
      }
      isStopping = true;
      resolve(signal);
    });
  });
}

/**
 * Calls `listener` for each stop signal. A closed terminal sends SIGHUP more than once: only the first one counts, and
 * none after another signal. Under `nohup`, SIGHUP is ignored.
 *
 * @returns a function that stops listening.
 */
export function onStopSignal(listener: (signal: StopSignal) => void): () => void {
  const ignoresHangUp = isHangUpIgnored();
  let isStopping = false;
  const onSignal = (signal: StopSignal) => {
    if (signal === 'SIGHUP' && (ignoresHangUp || isStopping)) return;
    isStopping = true;
    listener(signal);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return () => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
}

/**
 * Returns true if this process was started by `nohup`, or by a process that ignores SIGHUP. Node resets every signal to
 * its default action when it starts, so this looks for the traces of `nohup` instead.
 */
function isHangUpIgnored(): boolean {
  if (process.platform === 'win32') return false;
  if (basename(process.env._ ?? '') === 'nohup') return true;
  try {
    // GNU nohup opens /dev/null as standard input, for writing.
    const flags = readFileSync('/proc/self/fdinfo/0', 'utf8').match(/^flags:\s*\d*([0-7])$/m)?.[1];
    if (flags === '1' && readlinkSync('/proc/self/fd/0') === '/dev/null') return true;
    const ignored = readFileSync(`/proc/${process.ppid}/status`, 'utf8').match(/^SigIgn:\s*([\da-f]+)$/m)?.[1];
    return ignored !== undefined && (Number.parseInt(ignored.slice(-1), 16) & 1) === 1;
  } catch {
    // No /proc, or no access to it.
    return false;
  }
}

/**
 * Reports on standard error if the process exits before the returned function is called: a tool may call process.exit,
 * and its exit code 0 would look like success, so 0 becomes 1. Teardown can no longer run.
 *
 * @param exitCode replaces every exit code.
 * @returns a function that permits the process to exit.
 */
export function reportUnexpectedExit(describe: (code: number) => string, exitCode?: number): () => void {
  const notify = (code: number) => {
    if (exitCode !== undefined || code === 0) process.exitCode = exitCode ?? 1;
    process.stderr.write(`ors: ${describe(code)}\n`);
  };
  process.once('exit', notify);
  return () => void process.off('exit', notify);
}

/** Formats the unexpected exit of a serving process, with the number of lost sessions. */
export function describeExit(code: number, sessionCount: number): string {
  const lost = `${plural(sessionCount, 'session')} ${noun(sessionCount, 'is', 'are')} lost`;
  const cost = sessionCount === 0 ? '' : `; ${lost}, without teardown`;
  return `an environment's code ended the process (exit code ${code})${cost}`;
}

/** Ignores errors of output streams: a pipe whose reader is gone must not end the sessions of a server. */
export function ignoreBrokenPipe(streams: readonly NodeJS.EventEmitter[]): void {
  for (const stream of streams) stream.on('error', () => undefined);
}

/** Redirects standard output to standard error until disposed of, so that author code cannot print into a report. */
export function redirectStdout(): Disposable {
  const { stdout, stderr } = process;
  const write = stdout.write;
  stdout.write = stderr.write.bind(stderr) as typeof write;
  return {
    [Symbol.dispose]() {
      stdout.write = write;
    },
  };
}
