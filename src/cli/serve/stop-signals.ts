import { readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/** Signals that ask a process to stop: Ctrl-C, a service manager, a terminal that is closed. */
export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

const SIGNALS: readonly StopSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Listens for signals that ask this process to stop. A terminal that is closed sends SIGHUP more than once, so only the
 * first one counts, and none after another signal. Below `nohup` SIGHUP is ignored.
 *
 * @returns stops listening.
 */
export function onStopSignal(listener: (signal: StopSignal) => void): () => void {
  const ignoresHangUp = isHangUpIgnored();
  let isStopping = false;
  const hear = (signal: StopSignal) => {
    if (signal === 'SIGHUP' && (ignoresHangUp || isStopping)) return;
    isStopping = true;
    listener(signal);
  };
  for (const signal of SIGNALS) process.on(signal, hear);
  return () => {
    for (const signal of SIGNALS) process.off(signal, hear);
  };
}

/**
 * Resolves at the first signal that asks to stop, to its name; the second one ends the process at once. Neither is heard
 * while code that runs in this thread lets nothing else run.
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
 * Returns whether this process was started by `nohup`, or by one that ignores SIGHUP. Node restores the default action of
 * every signal when it starts, so what it inherited cannot be asked for: this reads the traces that `nohup` leaves.
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
    // No /proc here, or no access to it.
    return false;
  }
}
