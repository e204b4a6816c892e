import { uniqueName } from '../core/index.ts';

/** Names with a special meaning in JavaScript: an object with `then` is a promise. */
const SPECIAL_NAMES = new Set(['then', '__proto__']);
const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** Operation as the document names it. */
export interface UnnamedOperation {
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
