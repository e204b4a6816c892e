import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { hasCode } from '../core/index.ts';

const CHECK_MS = 1_000;

/** Sentence for logs and for the answers of readiness probes. */
export const NO_DESCRIPTORS =
  'no file descriptors are left: new connections are dropped; raise `ulimit -n`, or close what holds them';

export interface DescriptorWatch {
  /** Returns whether the process can open a file or a connection now. */
  readonly check: () => boolean;
  readonly close: () => void;
}

/**
 * Checks once a second whether the process can open another file descriptor. Without one the system drops new
 * connections, and neither the client nor the server gets an error for it.
 *
 * @param onChange called when the last descriptor is gone, and when there are some again.
 */
export function watchDescriptors(onChange: (hasSome: boolean) => void): DescriptorWatch {
  let hadSome = true;
  const check = (): boolean => {
    const hasSome = canOpen();
    if (hasSome !== hadSome) onChange(hasSome);
    hadSome = hasSome;
    return hasSome;
  };
  const timer = setInterval(check, CHECK_MS).unref();
  return { check, close: () => clearInterval(timer) };
}

function canOpen(): boolean {
  try {
    closeSync(openSync(devNull, 'r'));
    return true;
  } catch (error) {
    return !hasCode(error, 'EMFILE', 'ENFILE');
  }
}
