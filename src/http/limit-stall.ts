import type { ServerResponse } from 'node:http';
import { clampTimerMs } from '../core/index.ts';

/** A reader is looked at this often within its time limit, so it is disconnected at most an eighth of it late. */
const LOOKS = 8;

export interface StallOptions {
  /** A reader that takes nothing for this long is disconnected. */
  readonly stalledReaderMs: number;
  /** Called for each reader that was disconnected. */
  readonly onStall?: () => void;
}

/**
 * Disconnects a reader that takes nothing for `stalledReaderMs` while a response waits for it.
 *
 * Node's socket timeout fires after a period in which the kernel took no byte. If it took some, however few, a whole new
 * period begins: with one period as long as the limit a reader would stay for up to twice that. So the period is an
 * eighth of the limit, and eight in a row are too many.
 *
 * @returns stops watching.
 */
export function limitStall(response: ServerResponse, { stalledReaderMs, onStall }: StallOptions): () => void {
  const { socket } = response;
  if (!socket) return () => {};
  const period = Math.ceil(clampTimerMs(stalledReaderMs) / LOOKS);
  let silentPeriods = 0;
  let lastTimeout = performance.now();
  const onTimeout = () => {
    const now = performance.now();
    // Between two timeouts that are further apart the kernel took something.
    if (now - lastTimeout >= 2 * period) silentPeriods = 0;
    lastTimeout = now;
    silentPeriods++;
    if (silentPeriods < LOOKS) return void socket.setTimeout(period);
    onStall?.();
    response.destroy();
  };
  socket.setTimeout(period);
  response.on('timeout', onTimeout);
  return () => {
    response.off('timeout', onTimeout);
    // Node may have set another one, for a connection that is kept open.
    if (socket.timeout === period) socket.setTimeout(0);
  };
}

/** The same for a response that is complete on this side. */
export function limitLastStall(response: ServerResponse, options: StallOptions): void {
  if (response.writableLength > 0) response.once('finish', limitStall(response, options));
}
