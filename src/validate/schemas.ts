import {
  asSchema,
  createResolver,
  flattenSchema,
  type JSONSchema,
  listAt,
  localizeSchema,
  propertiesOf,
} from '../core/index.ts';
import type { ToolSpec } from '../protocol/index.ts';

export interface ToolParameter {
  readonly name: string;
  /** Whether every alternative of it has a description. */
  readonly isDescribed: boolean;
}

/** Returns the parameters of a tool, also those behind references and in alternatives. */
export function toolParameters({ input_schema: schema }: ToolSpec): readonly ToolParameter[] {
  const root = localizeSchema(schema ?? {});
  const resolver = createResolver(root);
  const flat = (part: unknown): JSONSchema => flattenSchema(asSchema(part), resolver, { left: MAX_MERGED }).schema;
  const isDescribed = ({ description, ...rest }: JSONSchema): boolean => {
    if (typeof description === 'string' && description.trim() !== '') return true;
    const alternatives = [...listAt(rest, 'anyOf'), ...listAt(rest, 'oneOf')].map(flat);
    return alternatives.length > 0 && alternatives.every((each) => typeof each.description === 'string');
  };
  return propertiesOf(root, resolver).map((property) => ({
    name: property.name,
    isDescribed: isDescribed(flat(property.schema)),
  }));
}

/** Schemas that one parameter is merged from. */
const MAX_MERGED = 1_000;
