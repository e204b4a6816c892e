import { groupBy, pointerKeys, pointerPath } from '../core/index.ts';

/** Error with an HTTP status and a message for the client. `more` has further fields of the body. */
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

/** Thrown for a body over the limit; `actualBytes` is null if the client did not send a length. */
export class BodyTooLarge extends HttpError {
  readonly limitBytes: number;
  readonly actualBytes: number | null;

  constructor(limitBytes: number, actualBytes: number | null) {
    super(413, `the body is larger than the limit of ${limitBytes} bytes`);
    this.limitBytes = limitBytes;
    this.actualBytes = actualBytes;
  }
}

/** Thrown for a body that is not valid JSON. */
export class NotJson extends HttpError {
  constructor(detail: string) {
    super(400, detail);
  }
}

/** Thrown for a media type that the operation does not accept. */
export class WrongMediaType extends HttpError {}

/** Thrown if the validator rejects the path, the query, the headers or the body. */
export class InvalidRequest extends HttpError {
  readonly findings: readonly Finding[];

  constructor(status: number, findings: readonly Finding[]) {
    super(status, describeInvalid(findings));
    this.findings = findings;
  }
}

/** Returns the status and JSON body of an error response for a request to `path`. */
export type DescribeFailure = (error: HttpError, path: string) => { readonly status: number; readonly json: unknown };

/** Finding of the validator: a place in the request, and what is wrong there. */
export interface Finding {
  readonly path?: string;
  readonly message?: string;
}

/** Describes findings in one sentence. It names fields and what is expected, and never a value, which may be a secret. */
function describeInvalid(findings: readonly Finding[]): string {
  const sentences = Array.from(
    groupBy(
      findings.filter((finding) => !isAlternative(finding, findings)),
      ({ path = '' }) => path,
    ),
    ([path, group]) => describe(path, new Set(group.map(({ message = '' }) => message))),
  );
  return [...new Set(sentences)].join('; ');
}

/** Returns true for the other alternatives of a union, such as null, if a finding is inside of the value that was sent. */
const isAlternative = ({ path = '', message = '' }: Finding, findings: readonly Finding[]): boolean =>
  (message === 'must be null' || message.includes(UNION)) &&
  findings.some((other) => other.path?.startsWith(`${path}/`));

/** Part of the validator's message about a union as a whole. */
const UNION = ' schema in ';

function describe(path: string, messages: ReadonlySet<string>): string {
  const [place = 'request', ...keys] = pointerKeys(path) ?? [];
  const field = place === 'headers' ? `${headerName(keys.join('/'))} header` : pointerPath('', path) || place;
  const text = [...messages]
    .filter((message) => !message.includes(UNION))
    .join(' or ')
    .replaceAll(/ or must( be)?/g, ' or')
    .replace(/,null$/, ' or null');
  if (/required property/.test(text)) {
    return field === 'body' ? 'a JSON body is required' : `${field} is required`;
  }
  if (text.startsWith('Unknown query parameter')) return `${field} is not a parameter of this request`;
  if (/additional propert/.test(text)) return `${field} is not a field of this request`;
  return `${field} ${text || 'is not valid'}`;
}

const headerName = (name: string) =>
  name
    .split('-')
    .map((part) => (part === 'id' ? 'ID' : part.charAt(0).toUpperCase() + part.slice(1)))
    .join('-');
