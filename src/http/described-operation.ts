import type { OpenApiDocument } from './validator.ts';

/** What a document says of an operation, as far as it matters beside the validator. */
export interface DescribedOperation {
  /** The parameters in its path. */
  readonly path: readonly TextParameter[];
  /** The headers that it declares. */
  readonly headers: readonly DeclaredHeader[];
  /** The parameters of the query. */
  readonly query: readonly QueryParameter[];
  /** Whether it takes bytes instead of JSON. */
  readonly isRaw: boolean;
  /** The JSON body, if it takes one. */
  readonly body: { readonly required: boolean; readonly schema: string | undefined } | undefined;
}

export interface TextParameter {
  readonly name: string;
  readonly required: boolean;
  readonly schema: TextSchema | undefined;
}

export interface DeclaredHeader extends TextParameter {
  /** Its name as Node has it, in lower case; `name` is spelled as the document spells it. */
  readonly key: string;
}

/** Keywords that a schema of a text may have; it may have others. */
export interface TextSchema extends Reference {
  readonly type?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
}

export interface QueryParameter {
  readonly name: string;
  readonly type: 'string' | 'number' | 'boolean';
  readonly default: unknown;
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

export function describedOperation(document: OpenApiDocument, operationId: string): DescribedOperation {
  // The validator reads the same document, and refuses to start with one of another shape.
  const { paths, components = {} } = document as unknown as Document;
  const operation = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .find((each) => each.operationId === operationId);
  const parameters = (operation?.parameters ?? []).map((each) => resolve<Parameter>(each, components.parameters));
  const body = operation?.requestBody && resolve<RequestBody>(operation.requestBody, components.requestBodies);
  const textsIn = (place: string) =>
    parameters
      .filter((parameter) => parameter?.in === place)
      .map(({ name, required = false, schema }) => ({ name, required, schema }));
  return {
    path: textsIn('path'),
    headers: textsIn('header').map((header) => ({ ...header, key: header.name.toLowerCase() })),
    query: parameters
      .filter((parameter) => parameter?.in === 'query')
      .map(({ name, schema }) => ({ name, type: typeOf(schema?.type), default: schema?.default })),
    isRaw: body !== undefined && body.content?.['application/json'] === undefined,
    body: body && { required: body.required ?? false, schema: nameOf(body.content?.['application/json']?.schema) },
  };
}

function resolve<T>(part: object, components: Readonly<Record<string, T>> = {}): T {
  const name = nameOf(part);
  return (name === undefined ? part : components[name]) as T;
}

/** The last part of a reference. */
const nameOf = (part: Reference | undefined) => part?.$ref?.split('/').at(-1);

function typeOf(type: string | undefined): QueryParameter['type'] {
  if (type === 'boolean') return 'boolean';
  return type === 'integer' || type === 'number' ? 'number' : 'string';
}
