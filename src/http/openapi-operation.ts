import type { ServerResponse } from 'node:http';

/** OpenAPI 3.1 document as parsed JSON, with external references bundled. */
export type OpenApiDocument = Readonly<Record<string, unknown>>;

/** Method and path of an operation: one row of the generated table. */
export interface Route {
  readonly method: string;
  /** Path as in the OpenAPI document, with parameters in braces. */
  readonly path: string;
}

/** Keywords of a string schema; it may have others. */
export interface TextSchema extends Reference {
  readonly type?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
}

interface Reference {
  readonly $ref?: string;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: TextSchema & { readonly default?: unknown };
}

interface RequestBody {
  readonly required?: boolean;
  readonly content?: Readonly<Record<string, unknown>> & {
    readonly 'application/json'?: { readonly schema?: Reference };
  };
}

interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { operationId?: string; parameters?: object[]; requestBody?: object }>>>
  >;
  readonly components?: {
    readonly parameters?: Readonly<Record<string, Parameter>>;
    readonly requestBodies?: Readonly<Record<string, RequestBody>>;
  };
}

const descriptions = new WeakMap<OpenApiDocument, Map<string, DescribedOperation>>();

/**
 * Returns the parts of an operation's description that the validator does not handle. They are read once per document,
 * since reading those of all operations takes half of the start of a server.
 */
export function describedOperation(document: OpenApiDocument, operationId: string): DescribedOperation {
  const known = descriptions.get(document) ?? new Map<string, DescribedOperation>();
  const description = known.get(operationId) ?? readDescription(document, operationId);
  descriptions.set(document, known.set(operationId, description));
  return description;
}

function readDescription(document: OpenApiDocument, operationId: string) {
  // Cast: the validator rejects a document of another shape at start.
  const { paths, components = {} } = document as unknown as Document;
  const operation = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .find((each) => each.operationId === operationId);
  const parameters = (operation?.parameters ?? []).map((each) => resolve<Parameter>(each, components.parameters));
  const body = operation?.requestBody && resolve<RequestBody>(operation.requestBody, components.requestBodies);
  const parametersIn = (place: string) =>
    parameters
      .filter((parameter) => parameter?.in === place)
      .map(({ name, required = false, schema }) => ({ name, required, schema }));
  return {
    path: parametersIn('path'),
    /** `name` is spelled as in the document, `key` in lower case, as in Node. */
    headers: parametersIn('header').map((header) => ({ ...header, key: header.name.toLowerCase() })),
    query: parametersIn('query').map(({ name, required, schema }) => ({
      name,
      required,
      type: schema?.type,
      default: schema?.default,
    })),
    /** True if the body is bytes, or may be. */
    isRaw: body !== undefined && Object.keys(body.content ?? {}).some((type) => type !== 'application/json'),
    body: body && { required: body.required ?? false, schema: nameOf(body.content?.['application/json']?.schema) },
  };
}

export type DescribedOperation = ReturnType<typeof readDescription>;
export type DeclaredHeader = DescribedOperation['headers'][number];
export type QueryParameter = DescribedOperation['query'][number];

function resolve<T>(part: object, components: Readonly<Record<string, T>> = {}): T {
  const name = nameOf(part);
  return (name === undefined ? part : components[name]) as T;
}

/** Returns the last segment of a reference. */
const nameOf = (part: Reference | undefined) => part?.$ref?.split('/').at(-1);

/** Operation that a request belongs to. */
export interface MatchedOperation {
  readonly operationId: string;
  /** Path parameters. */
  readonly path: Readonly<Record<string, unknown>>;
}

const RECORDED = Symbol('operation');

/** Records the operation of a response, for metrics and logs. */
export function recordOperation(response: ServerResponse, operation: MatchedOperation): void {
  (response as { [RECORDED]?: MatchedOperation })[RECORDED] = operation;
}

/** Returns the operation of a response; undefined for pages and unknown paths. */
export function recordedOperation(response: ServerResponse): MatchedOperation | undefined {
  return (response as { [RECORDED]?: MatchedOperation })[RECORDED];
}

/** Returns lookups of an operation by method and path, and of all methods of a path. */
export function operationTable(operations: Readonly<Record<string, Route>>) {
  const routes = Object.entries(operations).map(([operationId, { method, path }]) => ({
    operationId,
    method: method.toUpperCase(),
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
  }));
  return {
    find(method: string, path: string): MatchedOperation | undefined {
      for (const { operationId, method: own, pattern } of routes) {
        const match = own === method ? pattern.exec(path) : undefined;
        if (match) return { operationId, path: { ...match.groups } };
      }
      return undefined;
    },
    methodsOf: (path: string) => routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method),
  };
}
