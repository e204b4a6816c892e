/** Option of every client method that waits. */
export interface SignalOption {
  /** Stops waiting when it aborts; the method then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}
