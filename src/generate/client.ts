import { decodeFragment, isRecord, quoteJs, valueAt } from '../core/index.ts';
import { type GenerateOptions, toPascalCase } from './generated-file.ts';
import { GenerateError, type JsonObject } from './load-spec.ts';

/** Input of a client module. */
interface ClientSource {
  /** File name of the types, without extension. */
  readonly name: string;
  readonly title: string;
  readonly operations: readonly SpecOperation[];
}

const JSON_TYPE = /^application\/([\w.-]+\+)?json\b/;

/** Generates the client of an OpenAPI document: one typed method per operation, over openapi-fetch. */
export function clientModule({ name, title, operations }: ClientSource, options: GenerateOptions): string {
  const { importSuffix = '.js', eventsFrom = 'ors-kit/openapi' } = options;
  const prefix = toPascalCase(name);
  const kinds = new Set(operations.map(responseKind));
  const streams = kinds.has('events');
  return [
    "import createClient, { type ClientForPath, type ClientOptions, mergeHeaders } from 'openapi-fetch';",
    ...(streams ? [`import { decodeEvents, type ServerSentEvent } from '${eventsFrom}';`] : []),
    `import type { paths } from './${name}${importSuffix}';`,
    '',
    ...CLIENT_TYPES.filter(({ neededBy }) => neededBy.some((kind) => kinds.has(kind))).map(({ text }) => text),
    `/** ${commentText(title)}: one method per operation. */`,
    `export interface ${prefix}Client {`,
    ...operations.flatMap(methodType),
    '}',
    '',
    '/**',
    ' * Creates a client. It keeps no state and logs nothing.',
    ' *',
    ' * @param options `baseUrl` of the server, `headers` of every request, `fetch` as a replacement of the global one.',
    ' */',
    `export function create${prefix}Client(options: ClientOptions = {}): ${prefix}Client {`,
    REQUEST_METHOD,
    ...(streams ? [EVENTS_METHOD] : []),
    '  return {',
    ...operations.map(methodValue),
    '  };',
    '}',
    '',
    ...(streams ? [CHUNKS_FUNCTION] : []),
  ].join('\n');
}

/** Returns how a method reads its response: JSON if the document has it, events only if it has nothing else. */
function responseKind({ mediaTypes }: SpecOperation): ResponseKind {
  if (mediaTypes.length === 0 || mediaTypes.some((type) => JSON_TYPE.test(type))) return 'json';
  if (mediaTypes.every((type) => type.startsWith('text/event-stream'))) return 'events';
  return mediaTypes.every((type) => type.startsWith('text/')) ? 'text' : 'blob';
}

const commentText = (text: string): string => text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ').trim();

function methodType(operation: SpecOperation): string[] {
  const { id, method, path, summary } = operation;
  const comment = summary === undefined ? [] : [`  /** ${commentText(summary)} */`];
  const kind = responseKind(operation);
  const media = kind === 'json' || kind === 'events' ? 'Json' : 'Any';
  const call = `ClientForPath<paths[${quoteJs(path)}], ${media}>['${method.toUpperCase()}']`;
  const type = { json: call, text: call, events: `Events<${call}>`, blob: `Blobs<${call}>` }[kind];
  return [...comment, `  readonly ${id}: ${type};`];
}

function methodValue(operation: SpecOperation): string {
  const { id, method, path, mediaTypes } = operation;
  const route = `'${method}', ${quoteJs(path)}`;
  const kind = responseKind(operation);
  if (kind === 'events') return `    ${id}: events(${route}),`;
  if (kind !== 'json') return `    ${id}: request(${route}, ${quoteJs(mediaTypes.join(', '))}, '${kind}'),`;
  return `    ${id}: request(${route}, ${quoteJs(mediaTypes.find((type) => JSON_TYPE.test(type)) ?? 'application/json')}),`;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** Operation of a document. */
export interface SpecOperation {
  readonly id: string;
  readonly method: (typeof METHODS)[number];
  /** Path as in the document, parameters in braces. */
  readonly path: string;
  readonly summary: string | undefined;
  /** Media types of the first successful response. */
  readonly mediaTypes: readonly string[];
}

/**
 * Lists the operations of a document in order.
 *
 * @throws GenerateError if an operationId is missing, duplicate or not a valid name of a method.
 */
export function listOperations(document: JsonObject): SpecOperation[] {
  const operations: SpecOperation[] = [];
  const routes = new Map<string, string>();
  for (const [path, item] of Object.entries(isRecord(document.paths) ? document.paths : {})) {
    if (!isRecord(item)) continue;
    for (const method of METHODS) {
      const operation = item[method];
      if (!isRecord(operation)) continue;
      const route = `${method.toUpperCase()} ${path}`;
      const id = parseOperationId(operation.operationId, route);
      const other = routes.get(id);
      if (other) throw new GenerateError(`operationId '${id}' is used for ${other} and ${route}; rename one`);
      routes.set(id, route);
      const summary = typeof operation.summary === 'string' ? operation.summary : undefined;
      operations.push({ id, method, path, summary, mediaTypes: successMediaTypes(document, operation) });
    }
  }
  return operations;
}

function parseOperationId(id: unknown, route: string): string {
  if (id === undefined || id === '') {
    throw new GenerateError(`${route} has no operationId; add one, which becomes the name of a method`);
  }
  if (typeof id !== 'string' || !/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(id)) {
    throw new GenerateError(
      `operationId ${JSON.stringify(id)} of ${route} is not a valid name of a method; use letters and digits, such as getTask`,
    );
  }
  if (id === 'then' || id === '__proto__') {
    throw new GenerateError(`operationId '${id}' of ${route} has a special meaning in JavaScript; rename it`);
  }
  return id;
}

function successMediaTypes(document: JsonObject, operation: JsonObject): string[] {
  const responses = isRecord(operation.responses) ? operation.responses : {};
  const status = Object.keys(responses)
    .filter((key) => /^2/.test(key))
    .sort()[0];
  const response = status === undefined ? undefined : dereferenced(document, responses[status]);
  return isRecord(response) && isRecord(response.content) ? Object.keys(response.content) : [];
}

/** Resolves a reference such as `#/components/responses/Ok`. Source: OpenAPI 3.1, "Reference Object". */
function dereferenced(document: JsonObject, value: unknown): unknown {
  if (!isRecord(value) || typeof value.$ref !== 'string') return value;
  const target = valueAt(document, decodeFragment(value.$ref.replace(/^#/, '')));
  if (target === undefined) throw new GenerateError(`the target of the reference ${value.$ref} does not exist`);
  return target;
}

/** Generates a module with the method and path of each operationId. */
export function operationTable(operations: readonly SpecOperation[]): string {
  const rows = operations.map(({ id, method, path }) => `  ${id}: { method: '${method}', path: ${quoteJs(path)} },`);
  return [
    '/** Method and path of each operation. */',
    'export const operations = {',
    ...rows,
    '} as const;',
    '',
    'export type OperationId = keyof typeof operations;',
    '',
  ].join('\n');
}

/** Form in which a method returns a successful response. */
type ResponseKind = 'json' | 'events' | 'text' | 'blob';

/** Types at the start of a client, with the kinds of methods that need them. */
const CLIENT_TYPES: readonly { readonly neededBy: readonly ResponseKind[]; readonly text: string }[] = [
  {
    neededBy: ['json', 'events'],
    text: `type Json = \`\${string}/json\` | \`\${string}/\${string}+json\`;\n`,
  },
  {
    neededBy: ['text', 'blob'],
    text: `type Any = \`\${string}/\${string}\`;\n`,
  },
  {
    neededBy: ['events', 'blob'],
    text: `type Call = (...init: any) => Promise<unknown>;
type Failure<Method extends Call> =
  Awaited<ReturnType<Method>> extends infer Result ? (Result extends { error: infer E } ? E : never) : never;
`,
  },
  {
    neededBy: ['events'],
    text: `/** Events as they arrive; \`error\` for a status other than 2xx. */
export type EventsResponse<Failure> =
  | { events: AsyncIterable<ServerSentEvent>; error?: never; response: Response }
  | { events?: never; error: Failure; response: Response };

type Events<Method extends Call> = (...init: Parameters<Method>) => Promise<EventsResponse<Failure<Method>>>;
`,
  },
  {
    neededBy: ['blob'],
    text: `/** Bytes of the response; \`error\` for a status other than 2xx. */
export type BlobResponse<Failure> =
  | { data: Blob; error?: never; response: Response }
  | { data?: never; error: Failure; response: Response };

type Blobs<Method extends Call> = (...init: Parameters<Method>) => Promise<BlobResponse<Failure<Method>>>;
`,
  },
];

/** Function that sends the request of an operation. */
const REQUEST_METHOD = `  const client = createClient<paths>(options);
  // Each method has the types of its operation; their common implementation cannot be typed more precisely.
  const send: (method: any, path: any, init: any) => Promise<any> = client.request;
  const request =
    (method: string, path: string, accept: string, parseAs?: string): any =>
    (init: any = {}) =>
      send(method, path, {
        ...init,
        ...(parseAs && { parseAs }),
        headers: mergeHeaders({ Accept: accept }, init.headers),
      });`;

/** Function that sends the request of an operation that responds with events. */
const EVENTS_METHOD = `  const events =
    (method: string, path: string): any =>
    async (init?: any) => {
      const { data, error, response } = await request(method, path, 'text/event-stream', 'stream')(init);
      if (!response.ok) return { error, response };
      const type = response.headers.get('Content-Type') ?? 'no media type';
      if (!type.startsWith('text/event-stream')) {
        await data?.cancel();
        throw new TypeError(\`invalid response of \${path}: expected text/event-stream, got \${type}\`);
      }
      return { events: decodeEvents(chunks(data)), response };
    };`;

/** Function that iterates over a stream, because not every browser can; leaving the loop closes the connection. */
const CHUNKS_FUNCTION = `async function* chunks(stream: ReadableStream<Uint8Array> | null | undefined): AsyncGenerator<Uint8Array> {
  if (!stream) return;
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}
`;
