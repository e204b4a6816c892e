import { allowedTypes, fieldsOf } from '../core/index.ts';
import { parameterSchema, type SpecParameter } from './operations.ts';
import type { SchemaSet } from './schema-set.ts';

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
