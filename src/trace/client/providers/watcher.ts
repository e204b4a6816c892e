/** Sees what is read from a stream. */
export interface ProviderStreamObserver {
  item(value: unknown): void;
  /** The stream is over: read to its end, left early, or broken. */
  end(error?: unknown): void;
}

/** Sees one call of a client: what it was given is known when this is made. */
export interface CallObserver extends ProviderStreamObserver {
  /** Its answer, where that is no stream. */
  response(value: unknown): void;
}
