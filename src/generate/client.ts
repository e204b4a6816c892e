import { quoteJs } from '../core/index.ts';
import { type ClientNeeds, clientFunctions, clientMethods, clientTypes, type ResponseKind } from './client-runtime.ts';
import { type GenerateOptions, propertyKey, toPascalCase, toTypeName } from './generated-file.ts';
import type { ParameterStyles } from './operations.ts';

/** Input of a client module. */
interface ClientSource {
  /** File name of the types, without extension. */
  readonly name: string;
  readonly title: string;
  readonly methods: readonly ClientMethod[];
}

/** Method of a client. */
export interface ClientMethod {
  readonly id: string;
  /** HTTP method in lower case. */
  readonly method: string;
  /** Path as in the document, parameters in braces. */
  readonly path: string;
  readonly summary: string | undefined;
  /** Media types of the first successful response. */
  readonly mediaTypes: readonly string[];
  /** Styles of parameters that openapi-fetch does not know. */
  readonly styles?: ParameterStyles;
  /** Media type of the request body, unless it is `application/json`. */
  readonly contentType?: string | undefined;
}

const JSON_TYPE = /^application\/([\w.-]+\+)?json\b/;

/** Generates the client of an OpenAPI document: one typed method per operation, over openapi-fetch. */
export function clientModule({ name, title, methods }: ClientSource, options: GenerateOptions): string {
  const { importSuffix = '.js', eventsFrom = 'ors-kit/openapi' } = options;
  const prefix = toTypeName(toPascalCase(name));
  const needs: ClientNeeds = {
    kinds: new Set(methods.map(responseKind)),
    styles: methods.some(hasStyles),
    bodies: methods.some(({ contentType }) => contentType !== undefined),
  };
  const serializer = needs.styles ? ['createQuerySerializer'] : [];
  const imports = ['type ClientForPath', 'type ClientOptions', ...serializer, 'mergeHeaders'];
  return [
    `import createClient, { ${imports.join(', ')} } from 'openapi-fetch';`,
    ...(needs.kinds.has('events')
      ? [`import { decodeEvents, type ServerSentEvent } from ${quoteJs(eventsFrom)};`]
      : []),
    `import type { paths } from ${quoteJs(`./${name}${importSuffix}`)};`,
    '',
    ...clientTypes(needs),
    `/** ${commentText(title)}: one method per operation. */`,
    `export interface ${prefix}Client {`,
    ...methods.flatMap(methodType),
    '}',
    '',
    '/**',
    ' * Creates a client. It keeps no state and logs nothing.',
    ' *',
    ' * @param options `baseUrl` of the server, `headers` of every request, `fetch` as a replacement of the global one.',
    ' * @example',
    ` * const client = create${prefix}Client({ baseUrl: 'http://127.0.0.1:8080' });`,
    ' */',
    `export function create${prefix}Client(options: ClientOptions = {}): ${prefix}Client {`,
    ...clientMethods(needs),
    '  return {',
    ...methods.map(methodValue),
    '  };',
    '}',
    '',
    ...clientFunctions(needs),
  ].join('\n');
}

/** Returns how a method reads its response: JSON if the document has it, events only if it has nothing else. */
function responseKind({ mediaTypes }: ClientMethod): ResponseKind {
  if (mediaTypes.length === 0 || mediaTypes.some((type) => JSON_TYPE.test(type))) return 'json';
  if (mediaTypes.every((type) => type.startsWith('text/event-stream'))) return 'events';
  return mediaTypes.every((type) => type.startsWith('text/')) ? 'text' : 'blob';
}

const commentText = (text: string): string => text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ').trim();

const hasStyles = ({ styles = {} }: ClientMethod): boolean => Object.keys(styles).length > 0;

function methodType(operation: ClientMethod): string[] {
  const { id, method, path, summary } = operation;
  const comment = summary === undefined ? [] : [`  /** ${commentText(summary)} */`];
  const kind = responseKind(operation);
  const media = kind === 'json' || kind === 'events' ? 'Json' : 'Any';
  const call = `ClientForPath<paths[${quoteJs(path)}], ${media}>['${method.toUpperCase()}']`;
  const type = { json: call, text: call, events: `Events<${call}>`, blob: `Blobs<${call}>` }[kind];
  return [...comment, `  readonly ${id}: ${type};`];
}

function methodValue(operation: ClientMethod): string {
  const { id, method, path, mediaTypes, styles = {}, contentType } = operation;
  const kind = responseKind(operation);
  const form = {
    ...((kind === 'text' || kind === 'blob') && { parseAs: kind }),
    ...(hasStyles(operation) && { styles }),
    ...(contentType !== undefined && { contentType }),
  };
  const json = mediaTypes.find((type) => JSON_TYPE.test(type)) ?? 'application/json';
  const accept = kind === 'json' ? [json] : kind === 'events' ? [] : [mediaTypes.join(', ')];
  const args = [method, path, ...accept, ...(Object.keys(form).length > 0 ? [form] : [])].map(literal);
  return `    ${id}: ${kind === 'events' ? 'events' : 'request'}(${args.join(', ')}),`;
}

/** Returns a text, or an object of texts and objects, as a literal on one line. */
const literal = (value: string | object): string =>
  typeof value === 'string'
    ? quoteJs(value)
    : `{ ${Object.entries(value)
        .map(([key, each]) => `${propertyKey(key)}: ${literal(each)}`)
        .join(', ')} }`;

/** Generates a module with the method and path of each operationId. */
export function operationTable(operations: readonly Pick<ClientMethod, 'id' | 'method' | 'path'>[]): string {
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
