import {
  type JSONObject,
  type JSONSchema,
  ownProperty,
  schemasByName,
  schemasIn,
  stringsAt,
} from '../../core/index.ts';
import { encodeHeader } from './messages.ts';

/** Parameter of a tool that requests repeat in a header, so that proxies can route by it. */
export interface ParameterHeader {
  /** Keys that lead to the parameter in the input. */
  readonly path: readonly string[];
  readonly header: string;
}

const ANNOTATION = 'x-mcp-header';
/** Name of a header. Source: RFC 9110, section 5.1. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const TYPES = ['string', 'integer', 'boolean'];

/**
 * Finds the parameters of a schema that are repeated in headers.
 *
 * @returns the reason if an annotation is not valid; such a tool must not be used. Source: Model Context Protocol
 *   2026-07-28, transports, "Custom Headers from Tool Parameters".
 */
export function parameterHeaders(schema: JSONSchema): readonly ParameterHeader[] | string {
  const found: ParameterHeader[] = [];
  const open: { readonly schema: JSONSchema; readonly path: readonly string[] }[] = [{ schema, path: [] }];
  for (const place of open) {
    for (const [key, property] of Object.entries(schemasByName(place.schema, 'properties'))) {
      if (typeof property !== 'object' || property === null) continue;
      const child = { schema: property as JSONSchema, path: [...place.path, key] };
      open.push(child);
      if (!Object.hasOwn(child.schema, ANNOTATION)) continue;
      const name = child.schema[ANNOTATION];
      if (typeof name !== 'string' || !TOKEN.test(name)) return `its ${ANNOTATION} is not a valid name of a header`;
      const types = typeof child.schema.type === 'string' ? [child.schema.type] : stringsAt(child.schema, 'type');
      if (types.length !== 1 || !TYPES.includes(String(types[0]))) {
        return `its ${ANNOTATION} '${name}' is at a parameter that is not a string, an integer or a boolean`;
      }
      found.push({ path: child.path, header: `mcp-param-${name.toLowerCase()}` });
    }
  }
  if (new Set(found.map(({ header }) => header)).size < found.length) return `it has the same ${ANNOTATION} twice`;
  const annotated = [...schemasIn(schema)].filter((place) => Object.hasOwn(place.schema, ANNOTATION));
  return annotated.length === found.length ? found : `its ${ANNOTATION} is not at a parameter`;
}

/** Returns the headers of a call. Parameters that it does not have, or that are null, have none. */
export function headersOf(headers: readonly ParameterHeader[], input: JSONObject): Record<string, string> {
  const values = headers.flatMap(({ path, header }) => {
    const value = path.reduce<unknown>(ownProperty, input);
    return value === undefined || value === null ? [] : [[header, encodeHeader(String(value))] as const];
  });
  return Object.fromEntries(values);
}
