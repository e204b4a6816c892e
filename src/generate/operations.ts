import { decodeFragment, fieldsOf, isRecord, listAt, valueAt } from '../core/index.ts';
import { GenerateError, type JsonObject } from './load-spec.ts';
import { nameOperations } from './operation-names.ts';

export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** Operation of a document. */
export interface SpecOperation {
  /** Name of its method, see `nameOperations`. */
  readonly id: string;
  readonly method: (typeof METHODS)[number];
  /** Path as in the document, parameters in braces. */
  readonly path: string;
  /** The operation in the document. */
  readonly definition: JsonObject;
  /** Its parameters, and those of its path that it does not replace. */
  readonly parameters: readonly SpecParameter[];
}

/** Parameter of an operation. */
export interface SpecParameter {
  readonly name: string;
  readonly in: string;
  readonly definition: JsonObject;
  /** Reference to the parameter, if the document has it in `components`. */
  readonly reference: string | undefined;
}

/** Lists the operations of a document in order. */
export function listOperations(document: JsonObject, onNotice?: (message: string) => void): SpecOperation[] {
  const found = Object.entries(fieldsOf(document.paths)).flatMap(([path, value]) => {
    if (!path.startsWith('/')) return [];
    const item = fieldsOf(dereferenced(document, value));
    return METHODS.flatMap((method) => {
      const definition = item[method];
      if (!isRecord(definition)) return [];
      const parameters = parametersOf(document, item, definition);
      return [{ operationId: definition.operationId, method, path, definition, parameters }];
    });
  });
  const names = nameOperations(found, onNotice);
  return found.map(({ operationId: _, ...operation }, index) => ({ id: names[index] ?? '', ...operation }));
}

function parametersOf(document: JsonObject, item: JsonObject, operation: JsonObject): SpecParameter[] {
  const parameters = new Map<string, SpecParameter>();
  for (const value of [...listAt(item, 'parameters'), ...listAt(operation, 'parameters')]) {
    const definition = dereferenced(document, value);
    if (!isRecord(definition)) continue;
    const parameter = { name: String(definition.name), in: String(definition.in), definition };
    const reference = isRecord(value) && typeof value.$ref === 'string' ? value.$ref : undefined;
    parameters.set(`${parameter.in} ${parameter.name}`, { ...parameter, reference });
  }
  return [...parameters.values()];
}

/** Returns the schema of a parameter or header, also if it has a media type. */
export const parameterSchema = (definition: JsonObject): unknown =>
  definition.schema ?? fieldsOf(Object.values(fieldsOf(definition.content))[0]).schema;

/** Returns the media types of the first successful response. */
export function successMediaTypes(document: JsonObject, operation: JsonObject): string[] {
  const responses = fieldsOf(operation.responses);
  const [status] = Object.keys(responses)
    .filter((key) => /^2/.test(key))
    .sort();
  const response = status === undefined ? undefined : dereferenced(document, responses[status]);
  return Object.keys(fieldsOf(fieldsOf(response).content));
}

/** Returns the media type of a request body, JSON if possible; undefined for `application/json` and for no body. */
export function bodyType(document: JsonObject, operation: JsonObject): string | undefined {
  const types = Object.keys(fieldsOf(fieldsOf(dereferenced(document, operation.requestBody)).content));
  const isAnything = types.some((type) => type.startsWith('application/json') || type.startsWith('*/'));
  return isAnything ? undefined : (types.find((type) => type.includes('json')) ?? types[0]);
}

/**
 * Resolves a reference such as `#/components/responses/Ok`. Source: OpenAPI 3.1, "Reference Object".
 *
 * @throws GenerateError if the target does not exist, or refers to itself.
 */
export function dereferenced(document: JsonObject, value: unknown, seen: readonly string[] = []): unknown {
  if (!isRecord(value) || typeof value.$ref !== 'string') return value;
  const { $ref } = value;
  const target = valueAt(document, decodeFragment($ref.replace(/^#/, '')));
  if (target === undefined) throw new GenerateError(`the target of the reference ${$ref} does not exist`);
  if (seen.includes($ref)) throw new GenerateError(`invalid reference ${$ref}: it refers to itself`);
  return dereferenced(document, target, [...seen, $ref]);
}
