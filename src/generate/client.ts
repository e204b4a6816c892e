import type { GenerateOptions } from './generated-file.ts';
import { pascalCase, quoted } from './names.ts';
import type { Operation } from './operations.ts';

const JSON_TYPE = /^application\/([\w.-]+\+)?json\b/;

type Answer = 'json' | 'events' | 'text' | 'other';

function answerOf({ mediaTypes }: Operation): Answer {
  if (mediaTypes.length === 0 || mediaTypes.some((type) => JSON_TYPE.test(type))) return 'json';
  if (mediaTypes.every((type) => type.startsWith('text/event-stream'))) return 'events';
  return mediaTypes.every((type) => type.startsWith('text/')) ? 'text' : 'other';
}

/** What a client is made of. */
export interface ClientSource {
  /** File name of the types, without ending. */
  readonly name: string;
  readonly title: string;
  readonly operations: readonly Operation[];
}

/** The client of an OpenAPI document, as a module: one typed method per operation, over openapi-fetch. */
export function clientModule({ name, title, operations }: ClientSource, options: GenerateOptions): string {
  const { importSuffix = '.js', eventsFrom = 'ors-kit/openapi' } = options;
  const prefix = pascalCase(name);
  const answers = new Set(operations.map(answerOf));
  const streams = answers.has('events');
  return [
    "import createClient, { type ClientForPath, type ClientOptions, mergeHeaders } from 'openapi-fetch';",
    ...(streams ? [`import { decodeEvents, type ServerSentEvent } from '${eventsFrom}';`] : []),
    `import type { paths } from './${name}${importSuffix}';`,
    '',
    JSON_MEDIA,
    ...(answers.has('text') || answers.has('other') ? [ANY_MEDIA] : []),
    ...(streams ? [EVENT_TYPES] : []),
    '',
    `/** ${commentText(title)}: one method per operation. */`,
    `export interface ${prefix}Client {`,
    ...operations.flatMap(methodType),
    '}',
    '',
    '/**',
    ' * Makes a client; it keeps nothing but its options and logs nothing.',
    ' *',
    ' * @param options `baseUrl` of the server, `headers` of every request, `fetch` to use instead of the global one.',
    ' */',
    `export function create${prefix}Client(options: ClientOptions = {}): ${prefix}Client {`,
    REQUEST,
    ...(streams ? [EVENTS] : []),
    '  return {',
    ...operations.map(methodValue),
    '  };',
    '}',
    ...(streams ? [CHUNKS] : []),
    '',
  ].join('\n');
}

const commentText = (text: string): string => text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ').trim();

function methodType(operation: Operation): string[] {
  const { id, method, path, summary } = operation;
  const comment = summary === undefined ? [] : [`  /** ${commentText(summary)} */`];
  const answer = answerOf(operation);
  const media = answer === 'json' || answer === 'events' ? 'Json' : 'Any';
  const call = `ClientForPath<paths[${quoted(path)}], ${media}>['${method.toUpperCase()}']`;
  const type = answer === 'events' ? `Events<${call}>` : call;
  return [...comment, `  readonly ${id}: ${type};`];
}

function methodValue(operation: Operation): string {
  const { id, method, path, mediaTypes } = operation;
  const place = `'${method}', ${quoted(path)}`;
  const answer = answerOf(operation);
  if (answer === 'events') return `    ${id}: events(${place}),`;
  const accept = quoted(mediaTypes.find((type) => answer !== 'json' || JSON_TYPE.test(type)) ?? 'application/json');
  const parseAs = answer === 'text' ? `, 'text'` : '';
  return `    ${id}: request(${place}, ${accept}${parseAs}),`;
}

const JSON_MEDIA = `type Json = \`\${string}/json\` | \`\${string}/\${string}+json\`;`;

const ANY_MEDIA = `type Any = \`\${string}/\${string}\`;`;

const EVENT_TYPES = `
/** The events as they come; a response that is no success gives \`error\` instead. */
export type EventsResponse<Failure> =
  | { events: AsyncIterable<ServerSentEvent>; error?: never; response: Response }
  | { events?: never; error: Failure; response: Response };

/** A method of openapi-fetch, its success read as events. */
type Events<Method extends (...init: any) => Promise<unknown>> = (
  ...init: Parameters<Method>
) => Promise<EventsResponse<Awaited<ReturnType<Method>> extends infer R ? (R extends { error: infer E } ? E : never) : never>>;`;

const REQUEST = `  const client = createClient<paths>(options);
  // The types of a method are those of its operation; what all of them share cannot be typed more closely.
  const request =
    (method: string, path: string, accept: string, parseAs?: string): any =>
    (init: any = {}) =>
      (client.request as any)(method, path, {
        ...(parseAs && { parseAs }),
        ...init,
        headers: mergeHeaders({ Accept: accept }, init.headers),
      });`;

const EVENTS = `  const events =
    (method: string, path: string): any =>
    async (init: any = {}) => {
      const stream = request(method, path, 'text/event-stream', 'stream');
      const { data, error, response } = await stream({ ...init, parseAs: 'stream' });
      if (!response.ok) return { error, response };
      const type = response.headers.get('Content-Type') ?? 'no media type';
      if (!type.startsWith('text/event-stream')) {
        await data?.cancel();
        throw new TypeError(\`\${path} answered with \${type} where text/event-stream was expected\`);
      }
      return { events: decodeEvents(chunks(data)), response };
    };`;

const CHUNKS = `
async function* chunks(stream: ReadableStream<Uint8Array> | null | undefined): AsyncGenerator<Uint8Array> {
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
}`;
