import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DescribeFailure } from './http-error.ts';

/** Answers a request; or, in an Express application, hands on with `next` what is not its own. */
export type RequestHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void;

/** Sizes in bytes, times in milliseconds. */
export interface ListenerOptions {
  readonly bodyLimitBytes: number;
  readonly headerLimitBytes: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly describeFailure?: DescribeFailure;
  /** Headers of the answers to requests that never come to the handler. Default: none. */
  readonly refusalHeaders?: () => Readonly<Record<string, string>>;
}
