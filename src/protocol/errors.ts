import { isInstance, propertyOf } from '../core/index.ts';

/** The kinds of failure that an ORS operation reports outside of a stream, and the HTTP status of each. */
const STATUS = {
  bad_request: 400,
  unauthorized: 401,
  not_found: 404,
  gone: 410,
  author_error: 500,
  unavailable: 503,
} as const;

export type OrsErrorCode = keyof typeof STATUS;

const ORS_ERROR = Symbol.for('ors-kit.OrsError');

/** A failure that a client is told of as `{"detail": message}` with the status of its code. Source: HTTP API, "Error Handling". */
export class OrsError extends Error {
  override readonly name = 'OrsError';
  readonly [ORS_ERROR] = true;
  readonly code: OrsErrorCode;
  readonly status: number;

  constructor(code: OrsErrorCode, detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.code = code;
    this.status = STATUS[code];
  }
}

/** Holds for errors of another copy of this package too. */
export const isOrsError = (error: unknown): error is OrsError =>
  isInstance(error, Error) && propertyOf(error, ORS_ERROR) === true;
