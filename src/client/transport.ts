/** One HTTP request. */
export interface TransportRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly signal: AbortSignal;
}

/** The answer, as far as its headers. */
export interface TransportResponse {
  readonly status: number;
  header(name: string): string | undefined;
  /** The whole body. */
  text(): Promise<string>;
  /** The body as it comes; leaving the loop early closes the connection. */
  bytes(): AsyncIterable<Uint8Array>;
}

/** Sends requests; everything that the client asks of a platform. Rejects if there is no whole answer. */
export interface Transport {
  send(request: TransportRequest): Promise<TransportResponse>;
  close(): Promise<void>;
}
