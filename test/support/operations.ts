import { document } from '../../generated/ors-document.ts';
import { type OperationId, operations } from '../../generated/ors-operations.ts';
import type { RawRequest } from './http.ts';

/** JSON Schema in the OpenAPI document. */
export interface SpecSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, SpecSchema>>;
  readonly additionalProperties?: boolean | SpecSchema;
  readonly anyOf?: readonly SpecSchema[];
  readonly allOf?: readonly SpecSchema[];
}

interface SpecOperation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly $ref?: string }[];
  readonly requestBody?: SpecBody;
}

interface SpecBody {
  readonly $ref?: string;
  readonly required?: boolean;
  readonly content?: { readonly 'application/json': { readonly schema: SpecSchema } };
}

interface Spec {
  readonly paths: Readonly<Record<string, Readonly<Record<string, SpecOperation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

// The document is typed as plain JSON; this is the part of it that tests read.
const spec = document as unknown as Spec;

export const OPERATION_IDS = Object.keys(operations) as OperationId[];

/** Part of the specification of an operation that tests need. */
export interface OperationFacts {
  readonly id: OperationId;
  readonly method: string;
  /** Request target with `math` as environment. */
  readonly target: string;
  readonly hasEnvironment: boolean;
  readonly needsSession: boolean;
  /** Schema of the body, if the operation has one. */
  readonly body: { readonly schema: SpecSchema; readonly required: boolean } | undefined;
}

export function factsOf(id: OperationId): OperationFacts {
  const { method, path } = operations[id];
  const operation = spec.paths[path]?.[method];
  const given = operation?.requestBody;
  const body = given?.$ref === undefined ? given : (follow(given.$ref) as SpecBody);
  const schema = body?.content?.['application/json'].schema;
  return {
    id,
    method: method.toUpperCase(),
    target: path.replace('{env_name}', 'math').replace('{owner}', 'acme').replace('{name}', 'math'),
    hasEnvironment: path.includes('{env_name}'),
    needsSession: (operation?.parameters ?? []).some(({ $ref }) => $ref?.endsWith('/SessionId')),
    body: schema && { schema: resolved(schema), required: body?.required ?? false },
  };
}

function follow($ref: string): unknown {
  const [, , section = '', name = ''] = $ref.split('/');
  return spec.components[section]?.[name];
}

export const resolved = (schema: SpecSchema): SpecSchema =>
  schema.$ref === undefined ? schema : resolved(follow(schema.$ref) as SpecSchema);

/** Returns the JSON types that a schema allows. */
export function typesOf(schema: SpecSchema): ReadonlySet<string> {
  const { type, anyOf, allOf } = resolved(schema);
  const types = typeof type === 'string' ? [type] : (type ?? []);
  return new Set([...types, ...[...(anyOf ?? []), ...(allOf ?? [])].flatMap((part) => [...typesOf(part)])]);
}

/** Returns a valid body of the operation, if it needs one. */
export const VALID_BODIES: Partial<Record<OperationId, Readonly<Record<string, unknown>>>> = {
  createSession: {},
  createEpisode: { env_name: 'math', split: 'train', index: 0 },
  listTasks: { split: 'train' },
  countTasks: { split: 'train' },
  getTask: { split: 'train', index: 0 },
  getTaskRange: { split: 'train', start: 0, stop: 2 },
  callTool: { name: 'echo', input: { text: 'hello' } },
  scoreGroup: { candidates: [{ messages: [] }] },
};

/** Returns a valid request of the operation, with parts replaced by `changes`. */
export function validRequest(id: OperationId, sid: string, changes: Partial<RawRequest> = {}): RawRequest {
  const { method, target } = factsOf(id);
  const body = VALID_BODIES[id];
  return {
    method,
    target,
    headers: [
      ['X-Session-ID', sid],
      ['Content-Type', 'application/json'],
    ],
    ...(body && { body: JSON.stringify(body) }),
    ...changes,
  };
}
