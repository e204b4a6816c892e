import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { OperationRequest } from './operation.ts';
import type { JsonProblem } from './parse-json.ts';

/** A request that the document has accepted, whichever entrance it came in by. */
export interface AcceptedRequest {
  readonly path: Readonly<Record<string, unknown>>;
  readonly headers: IncomingHttpHeaders;
  /** The headers that the document declares for the operation, spelled as it spells them. */
  readonly declared: readonly string[];
  readonly body: unknown;
  readonly problems: readonly JsonProblem[];
  readonly caller: string | undefined;
  readonly response: ServerResponse;
}

/** The request as handlers see it; that the document has accepted it makes it one of the operation. */
export function operationRequest({
  path,
  headers,
  declared,
  body,
  problems,
  caller,
  response,
}: AcceptedRequest): OperationRequest<never> {
  const request = {
    path,
    header: Object.fromEntries(declared.map((name) => [name, headers[name.toLowerCase()]])),
    body,
    problems,
    caller,
    accepts: (mediaType: string) => named(headers.accept ?? '').includes(mediaType),
    onClose(listener: () => void) {
      if (response.closed) listener();
      else response.once('close', listener);
    },
  };
  return request as unknown as OperationRequest<never>;
}

/** The media types that an `Accept` header names, without those that it rules out. */
function named(accept: string): string[] {
  const ranges = accept
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()));
  return ranges
    .filter(([, ...parameters]) => !parameters.some((each) => /^q=0(\.0*)?$/.test(each)))
    .map(([type = '']) => type);
}
