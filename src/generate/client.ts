import { quoteJs } from '../core/index.ts';
import { type Answer, CHUNKS, EVENTS, REQUEST, TYPES } from './client-text.ts';
import type { GenerateOptions } from './generated-file.ts';
import { pascalCase } from './names.ts';
import type { Operation } from './operations.ts';

/** What a client is made of. */
export interface ClientSource {
  /** File name of the types, without ending. */
  readonly name: string;
  readonly title: string;
  readonly operations: readonly Operation[];
}

const JSON_TYPE = /^application\/([\w.-]+\+)?json\b/;

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
    ...TYPES.filter(({ neededBy }) => neededBy.some((answer) => answers.has(answer))).map(({ text }) => text),
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
    '',
    ...(streams ? [CHUNKS] : []),
  ].join('\n');
}

/** JSON where the document leaves a choice; events only where there is nothing else. */
function answerOf({ mediaTypes }: Operation): Answer {
  if (mediaTypes.length === 0 || mediaTypes.some((type) => JSON_TYPE.test(type))) return 'json';
  if (mediaTypes.every((type) => type.startsWith('text/event-stream'))) return 'events';
  return mediaTypes.every((type) => type.startsWith('text/')) ? 'text' : 'blob';
}

const commentText = (text: string): string => text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ').trim();

function methodType(operation: Operation): string[] {
  const { id, method, path, summary } = operation;
  const comment = summary === undefined ? [] : [`  /** ${commentText(summary)} */`];
  const answer = answerOf(operation);
  const media = answer === 'json' || answer === 'events' ? 'Json' : 'Any';
  const call = `ClientForPath<paths[${quoteJs(path)}], ${media}>['${method.toUpperCase()}']`;
  const type = { json: call, text: call, events: `Events<${call}>`, blob: `Blobs<${call}>` }[answer];
  return [...comment, `  readonly ${id}: ${type};`];
}

function methodValue(operation: Operation): string {
  const { id, method, path, mediaTypes } = operation;
  const place = `'${method}', ${quoteJs(path)}`;
  const answer = answerOf(operation);
  if (answer === 'events') return `    ${id}: events(${place}),`;
  if (answer !== 'json') return `    ${id}: request(${place}, ${quoteJs(mediaTypes.join(', '))}, '${answer}'),`;
  return `    ${id}: request(${place}, ${quoteJs(mediaTypes.find((type) => JSON_TYPE.test(type)) ?? 'application/json')}),`;
}
