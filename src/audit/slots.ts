import { asSchema, choicesOf, createResolver, listAt, namedTypes, propertiesOf } from '../core/index.ts';
import type { JSONObject, JSONValue, ToolSpec } from '../protocol/index.ts';
import type { InputSlot } from './attack.ts';

/** Returns the parameters of a tool. @param base the minimal valid input. */
export function slotsOf({ name: tool, input_schema: schema }: ToolSpec, base: JSONObject): InputSlot[] {
  if (!schema) return [];
  return propertiesOf(schema, createResolver(schema)).map((property): InputSlot => {
    const own = asSchema(property.schema);
    const items = asSchema(own.items);
    const alternatives = [own, ...listAt(own, 'anyOf').map(asSchema), items];
    const choices = alternatives.map(choicesOf).find((each) => each !== undefined) ?? [];
    return { tool, name: property.name, type: slotType(alternatives.slice(0, -1), choices), choices, base };
  });
}

function slotType(alternatives: readonly ReturnType<typeof asSchema>[], choices: readonly JSONValue[]) {
  const types = alternatives.flatMap((each) => namedTypes(each)).filter((type) => type !== 'null');
  const [type = typeof choices[0]] = types;
  if (type === 'integer' || type === 'number') return 'number';
  return type === 'string' || type === 'boolean' || type === 'array' ? type : 'other';
}

/** Returns true if a parameter accepts any text. */
export const acceptsText = ({ type, choices }: InputSlot): boolean =>
  (type === 'string' || type === 'other') && choices.length === 0;

/** Converts a value to the type of a parameter; undefined if that is not possible. */
export function fitValue({ type }: InputSlot, value: JSONValue): JSONValue | undefined {
  if (type === 'string') return typeof value === 'object' ? undefined : String(value);
  if (type === 'number') {
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
  }
  if (type === 'boolean') return typeof value === 'boolean' ? value : undefined;
  if (type === 'array') return Array.isArray(value) ? value : typeof value === 'object' ? undefined : [value];
  return value;
}

/** Returns an input with a value for a parameter; undefined if the value does not fit its type. */
export function inputWith(slot: InputSlot, value: JSONValue | undefined): JSONObject | undefined {
  const fitted = value === undefined ? undefined : fitValue(slot, value);
  return fitted === undefined ? undefined : { ...slot.base, [slot.name]: fitted };
}
