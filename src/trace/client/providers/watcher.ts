/** Sees what is read from a stream. */
export interface StreamWatcher {
  item(value: unknown): void;
  /** The stream is over: read to its end, left early, or broken. */
  end(error?: unknown): void;
}

/** Sees one call of a client: what it was given is known when this is made. */
export interface Watcher extends StreamWatcher {
  /** Its answer, where that is no stream. */
  answer(value: unknown): void;
}
