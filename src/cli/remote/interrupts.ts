import { constants } from 'node:os';
import { CliError } from '../failure.ts';
import { onStopSignal, type StopSignal } from '../serve/stop-signals.ts';

/** Ctrl-C and the like, as an AbortSignal whose reason is a Failure with the conventional exit code, such as 130. */
export interface InterruptSignal extends Disposable {
  readonly signal: AbortSignal;
  /** The same as if the process had got the signal. */
  interrupt(name: StopSignal): void;
}

/** Listens until it is disposed of. A second signal ends the process at once. */
export function listenForInterrupts(): InterruptSignal {
  const controller = new AbortController();
  const interrupt = (name: StopSignal) => {
    const exitCode = 128 + constants.signals[name];
    if (controller.signal.aborted) process.exit(exitCode);
    controller.abort(new CliError('interrupted', { exitCode }));
  };
  const stopListening = onStopSignal(interrupt);
  return { signal: controller.signal, interrupt, [Symbol.dispose]: stopListening };
}
