/** What checks of clients wait for, in milliseconds. */
export interface ClientTimes {
  /** A stream that is silent for so long counts as lost. Default: 30 000. */
  readonly silenceMs: number;
  /** A stream that lives sends a comment this often, and a client that idles a ping. Default: 10 000. */
  readonly heartbeatMs: number;
  /** After this a client should have given up against endless failures; the adapter is told. Default: 60 000. */
  readonly giveUpMs: number;
  /** How long a busy server asks its clients to stay away; whole seconds. Default: 2 000. */
  readonly retryAfterMs: number;
  /** The pause between two pieces that must arrive one by one. Default: 20. */
  readonly packetMs: number;
  /** How long the client may take for one command, unless the check makes it wait. Default: 20 000. */
  readonly commandMs: number;
  /** How long the adapter may take to start. Default: 60 000. */
  readonly startMs: number;
  /** How long the adapter may take to end, once its input has ended. Default: 3 000. */
  readonly graceMs: number;
}

export const STANDARD_CLIENT_TIMES: ClientTimes = {
  silenceMs: 30_000,
  heartbeatMs: 10_000,
  giveUpMs: 60_000,
  retryAfterMs: 2_000,
  packetMs: 20,
  commandMs: 20_000,
  startMs: 60_000,
  graceMs: 3_000,
};
