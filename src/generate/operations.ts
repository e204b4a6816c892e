import { allowedTypes, decodeFragment, fieldsOf, isRecord, listAt, uniqueName, valueAt } from '../core/index.ts';
import { GenerateError, type JsonObject } from './load-spec.ts';
import type { SchemaSet } from './schema-set.ts';

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

/** Names with a special meaning in JavaScript: an object with `then` is a promise. */
const SPECIAL_NAMES = new Set(['then', '__proto__']);
const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** Operation as the document names it. */
interface UnnamedOperation {
  readonly operationId: unknown;
  readonly method: string;
  readonly path: string;
}

/**
 * Returns a unique name of a method for each operation:
 *
 * 1. an `operationId` that is a JavaScript identifier is the name;
 * 2. another one is joined in camel case: `meta/root` becomes `metaRoot`, `get-pet` becomes `getPet`;
 * 3. without one, method and path are: `GET /pets/{id}` becomes `getPetsById`;
 * 4. a name that is taken gets a number, such as `getPet2`. Names of rule 1 take precedence.
 *
 * @param onNotice receives a sentence for every name with a number.
 */
export function nameOperations(
  operations: readonly UnnamedOperation[],
  onNotice: (message: string) => void = () => {},
): string[] {
  const owners = new Map<string, UnnamedOperation>();
  const asWritten = new Set<UnnamedOperation>();
  for (const operation of operations) {
    const { operationId } = operation;
    if (!isMethodName(operationId) || owners.has(operationId)) continue;
    owners.set(operationId, operation);
    asWritten.add(operation);
  }
  return operations.map((operation) => {
    const wanted = wantedName(operation);
    if (asWritten.has(operation)) return wanted;
    const name = uniqueName(wanted, (other) => owners.has(other), { separator: '' });
    const owner = owners.get(wanted);
    owners.set(name, operation);
    if (owner) onNotice(`${routeOf(operation)} is named ${name}, because ${wanted} is the name of ${routeOf(owner)}`);
    return name;
  });
}

const routeOf = ({ method, path }: UnnamedOperation): string => `${method.toUpperCase()} ${path}`;

const isMethodName = (id: unknown): id is string =>
  typeof id === 'string' && IDENTIFIER.test(id) && !SPECIAL_NAMES.has(id);

function wantedName({ operationId, method, path }: UnnamedOperation): string {
  if (isMethodName(operationId)) return operationId;
  const fromId = typeof operationId === 'string' ? toCamelCase(operationId) : '';
  const fromPath = toCamelCase(pathWords(path)) === '' ? 'root' : pathWords(path);
  const name = fromId === '' ? toCamelCase(`${method} ${fromPath}`) : fromId;
  return isMethodName(name) ? name : /^[\p{ID_Start}$_]/u.test(name) ? `${name}_` : `_${name}`;
}

/** Converts `/pets/{id}` to `pets by id`. */
const pathWords = (path: string): string => path.replaceAll(/\{([^{}]*)\}/g, ' by $1 ');

/** Joins the words of a text in camel case; all other characters separate words. */
function toCamelCase(text: string): string {
  const [first = '', ...rest] = text.match(/[\p{ID_Continue}$]+/gu) ?? [];
  return [first.charAt(0).toLowerCase() + first.slice(1), ...rest.map(capitalize)].join('');
}

const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/**
 * Styles of parameters by location and name, of those that openapi-fetch would write differently: a style of OpenAPI,
 * followed by `*` if it is exploded, and by `!` if the value is written as JSON. Reserved characters are encoded even if
 * `allowReserved` is true: servers decode them, and `&` would end the value.
 */
export interface ParameterStyles {
  readonly [location: string]: { readonly [name: string]: string };
}

/** Returns the styles that a client has to apply itself. Source: OpenAPI 3.1, "Parameter Object". */
export function parameterStyles(parameters: readonly SpecParameter[], set: SchemaSet): ParameterStyles {
  const styles: Record<string, Record<string, string>> = {};
  for (const parameter of parameters) {
    if (!['query', 'path', 'header'].includes(parameter.in)) continue;
    const style = styleOf(parameter, set);
    if (style === undefined) continue;
    styles[parameter.in] ??= Object.create(null);
    Object.assign(fieldsOf(styles[parameter.in]), { [parameter.name]: style });
  }
  return styles;
}

/** Returns undefined if openapi-fetch writes all values of a parameter as the document says. */
function styleOf({ in: location, definition }: SpecParameter, set: SchemaSet): string | undefined {
  const preset = location === 'query' ? 'form' : 'simple';
  const isJson = Object.keys(fieldsOf(definition.content)).some((type) => /json/i.test(type));
  if (isJson) return `${preset}!`;
  const { style = preset, explode = style === 'form' } = definition;
  const types = allowedTypes(set.add(parameterSchema(definition)), set.resolver);
  const hasLists = !types || types.has('array');
  const hasObjects = !types || types.has('object');
  const isListPlain = !hasLists || (location === 'query' && explode === true);
  if (style === preset && isListPlain && !hasObjects) return undefined;
  return `${style}${explode === true ? '*' : ''}`;
}
