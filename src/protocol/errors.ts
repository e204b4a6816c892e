import { isInstance, propertyOf } from '../core/index.ts';

/** HTTP status of each error code. */
const STATUS = {
  bad_request: 400,
  unauthorized: 401,
  not_found: 404,
  gone: 410,
  author_error: 500,
  unavailable: 503,
} as const;

/** Kind of failure that an operation reports outside of a stream. */
export type OrsErrorCode = keyof typeof STATUS;

const ORS_ERROR = Symbol.for('ors-kit.OrsError');

/**
 * A failure that a client receives as `{"detail": message}` with the status of its code.
 * Source: HTTP API, "Error Handling".
 *
 * @example
 * throw new OrsError('bad_request', "invalid split: expected 'train' or 'test', got 'dev'");
 */
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

/** Returns true for an OrsError, also for one of another copy of this package. */
export const isOrsError = (error: unknown): error is OrsError =>
  isInstance(error, Error) && propertyOf(error, ORS_ERROR) === true;
