import { decodeFragment, isRecord, quoteJs, valueAt } from '../core/index.ts';
import { GenerateError } from './generate-error.ts';
import type { JsonObject } from './load-spec.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** One operation of a document. */
export interface SpecOperation {
  readonly id: string;
  readonly method: (typeof METHODS)[number];
  /** As in the document, parameters in braces. */
  readonly path: string;
  readonly summary: string | undefined;
  /** Media types of the first successful response. */
  readonly mediaTypes: readonly string[];
}

/**
 * Lists the operations of a document, in its order.
 *
 * @throws {GenerateError} If an operationId is missing, used twice or cannot name a method.
 */
export function listOperations(document: JsonObject): SpecOperation[] {
  const operations: SpecOperation[] = [];
  const places = new Map<string, string>();
  for (const [path, item] of Object.entries(isRecord(document.paths) ? document.paths : {})) {
    if (!isRecord(item)) continue;
    for (const method of METHODS) {
      const operation = item[method];
      if (!isRecord(operation)) continue;
      const place = `${method.toUpperCase()} ${path}`;
      const id = checkedId(operation.operationId, place);
      const taken = places.get(id);
      if (taken) throw new GenerateError(`operationId '${id}' names both ${taken} and ${place}; rename one`);
      places.set(id, place);
      const summary = typeof operation.summary === 'string' ? operation.summary : undefined;
      operations.push({ id, method, path, summary, mediaTypes: successMediaTypes(document, operation) });
    }
  }
  return operations;
}

function checkedId(id: unknown, place: string): string {
  if (id === undefined || id === '') {
    throw new GenerateError(`${place} has no operationId; give it one, it becomes the name of a method`);
  }
  if (typeof id !== 'string' || !/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(id)) {
    throw new GenerateError(
      `operationId ${JSON.stringify(id)} of ${place} cannot name a method; use letters and digits, such as getTask`,
    );
  }
  if (id === 'then' || id === '__proto__') {
    throw new GenerateError(`operationId '${id}' of ${place} has a meaning of its own in JavaScript; rename it`);
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

/** Follows a reference such as `#/components/responses/Ok`. Source: OpenAPI 3.1, "Reference Object". */
function dereferenced(document: JsonObject, value: unknown): unknown {
  if (!isRecord(value) || typeof value.$ref !== 'string') return value;
  const target = valueAt(document, decodeFragment(value.$ref.replace(/^#/, '')));
  if (target === undefined) throw new GenerateError(`the reference ${value.$ref} leads nowhere`);
  return target;
}

/** The table from operationId to method and path, as a module. */
export function operationTable(operations: readonly SpecOperation[]): string {
  const rows = operations.map(({ id, method, path }) => `  ${id}: { method: '${method}', path: ${quoteJs(path)} },`);
  return [
    '/** Where each operation lives. */',
    'export const operations = {',
    ...rows,
    '} as const;',
    '',
    'export type OperationId = keyof typeof operations;',
    '',
  ].join('\n');
}
