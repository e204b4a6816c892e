import { describeInvalid, type Finding } from './describe-invalid.ts';

/** A failure with an HTTP status, and a sentence that the client may read. `more` goes into the body beside `detail`. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly more: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    detail: string,
    headers: Readonly<Record<string, string>> = {},
    more: Readonly<Record<string, unknown>> = {},
  ) {
    super(detail);
    this.status = status;
    this.headers = headers;
    this.more = more;
  }
}

/** The body is larger than the server reads; `actualBytes` is null where the client did not tell. */
export class BodyTooLarge extends HttpError {
  readonly limitBytes: number;
  readonly actualBytes: number | null;

  constructor(limitBytes: number, actualBytes: number | null, headers: Readonly<Record<string, string>> = {}) {
    super(413, `the body is larger than the limit of ${limitBytes} bytes`, headers);
    this.limitBytes = limitBytes;
    this.actualBytes = actualBytes;
  }
}

/** The body is no JSON. */
export class NotJson extends HttpError {
  constructor(detail: string) {
    super(400, detail);
  }
}

/** The body is of a media type that the operation does not take. */
export class WrongMediaType extends HttpError {}

/** What the validator found in the path, the query, the headers or the body. */
export class InvalidRequest extends HttpError {
  readonly findings: readonly Finding[];

  constructor(status: number, findings: readonly Finding[]) {
    super(status, describeInvalid(findings));
    this.findings = findings;
  }
}

/** The status and the JSON body of a failure; `path` is that of the request. */
export type DescribeFailure = (error: HttpError, path: string) => { readonly status: number; readonly json: unknown };
