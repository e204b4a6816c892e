/** A header line, spelled as it was sent. */
export type HttpHeader = readonly [name: string, value: string];

/** Bytes that arrived together. */
export interface ReceivedChunk {
  /** Milliseconds since the run began. */
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** One request and what came of it: the evidence of a check. Times are milliseconds since the run began. */
export interface Exchange {
  /** Counts up through a run. */
  readonly number: number;
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: readonly HttpHeader[];
  readonly requestBody: Uint8Array | undefined;
  readonly sentAt: number;
  status?: number;
  responseHeaders: readonly HttpHeader[];
  readonly chunks: ReceivedChunk[];
  /** When the answer's head arrived. */
  headAt?: number;
  /** When the answer ended, or broke off. */
  endedAt?: number;
  /** Why there is no answer, or no end of one: a reset, a time limit. */
  failure?: string;
}
