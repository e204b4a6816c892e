import { quoteJs } from '../core/index.ts';
import { CHUNKS_FUNCTION, CLIENT_TYPES, EVENTS_METHOD, REQUEST_METHOD, type ResponseKind } from './client-text.ts';
import type { GenerateOptions } from './generated-file.ts';
import { toPascalCase } from './names.ts';
import type { SpecOperation } from './operations.ts';

/** What a client is made of. */
export interface ClientSource {
  /** File name of the types, without ending. */
  readonly name: string;
  readonly title: string;
  readonly operations: readonly SpecOperation[];
}

const JSON_TYPE = /^application\/([\w.-]+\+)?json\b/;

/** The client of an OpenAPI document, as a module: one typed method per operation, over openapi-fetch. */
export function clientModule({ name, title, operations }: ClientSource, options: GenerateOptions): string {
  const { importSuffix = '.js', eventsFrom = 'ors-kit/openapi' } = options;
  const prefix = toPascalCase(name);
  const answers = new Set(operations.map(answerOf));
  const streams = answers.has('events');
  return [
    "import createClient, { type ClientForPath, type ClientOptions, mergeHeaders } from 'openapi-fetch';",
    ...(streams ? [`import { decodeEvents, type ServerSentEvent } from '${eventsFrom}';`] : []),
    `import type { paths } from './${name}${importSuffix}';`,
    '',
    ...CLIENT_TYPES.filter(({ neededBy }) => neededBy.some((response) => answers.has(response))).map(
      ({ text }) => text,
    ),
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

/** JSON where the document leaves a choice; events only where there is nothing else. */
function answerOf({ mediaTypes }: SpecOperation): ResponseKind {
  if (mediaTypes.length === 0 || mediaTypes.some((type) => JSON_TYPE.test(type))) return 'json';
  if (mediaTypes.every((type) => type.startsWith('text/event-stream'))) return 'events';
  return mediaTypes.every((type) => type.startsWith('text/')) ? 'text' : 'blob';
}

const commentText = (text: string): string => text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ').trim();

function methodType(operation: SpecOperation): string[] {
  const { id, method, path, summary } = operation;
  const comment = summary === undefined ? [] : [`  /** ${commentText(summary)} */`];
  const response = answerOf(operation);
  const media = response === 'json' || response === 'events' ? 'Json' : 'Any';
  const call = `ClientForPath<paths[${quoteJs(path)}], ${media}>['${method.toUpperCase()}']`;
  const type = { json: call, text: call, events: `Events<${call}>`, blob: `Blobs<${call}>` }[response];
  return [...comment, `  readonly ${id}: ${type};`];
}

function methodValue(operation: SpecOperation): string {
  const { id, method, path, mediaTypes } = operation;
  const place = `'${method}', ${quoteJs(path)}`;
  const response = answerOf(operation);
  if (response === 'events') return `    ${id}: events(${place}),`;
  if (response !== 'json') return `    ${id}: request(${place}, ${quoteJs(mediaTypes.join(', '))}, '${response}'),`;
  return `    ${id}: request(${place}, ${quoteJs(mediaTypes.find((type) => JSON_TYPE.test(type)) ?? 'application/json')}),`;
}
