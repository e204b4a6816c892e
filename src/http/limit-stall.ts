import type { ServerResponse } from 'node:http';

const MAX_TIMER_MS = 2 ** 31 - 1;

export interface StallOptions {
  /** A reader that takes nothing for this long is disconnected. */
  readonly stalledReaderMs: number;
  /** Told of each that was. */
  readonly onStall?: () => void;
}

/**
 * Disconnects a reader that takes nothing for this long, while something waits for it, until the function that comes
 * back is called. Node's time limit of sockets counts what the system hands on, however little it is.
 */
export function limitStall(response: ServerResponse, { stalledReaderMs, onStall }: StallOptions): () => void {
  const { socket } = response;
  if (!socket) return () => {};
  const limit = Math.min(stalledReaderMs, MAX_TIMER_MS);
  const cut = () => {
    onStall?.();
    response.destroy();
  };
  socket.setTimeout(limit);
  response.once('timeout', cut);
  return () => {
    response.off('timeout', cut);
    // Node may have set another one, for a connection that is kept open.
    if (socket.timeout === limit) socket.setTimeout(0);
  };
}

/** The same for an answer that is complete on this side. */
export function limitLastStall(response: ServerResponse, options: StallOptions): void {
  if (response.writableLength > 0) response.once('finish', limitStall(response, options));
}
