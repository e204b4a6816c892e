import type { JSONValue } from '../../protocol/index.ts';
import { type Attack, constantCall, constantValue, type InputSlot, slotName } from '../attack.ts';

/** A class of values for parameters of other types. */
const typeAttack = (
  number: string,
  title: string,
  advice: string,
  valuesFor: (slot: InputSlot) => readonly JSONValue[],
): Attack => ({
  id: `AUDIT-TYPE-${number}`,
  category: 'type',
  title,
  advice,
  proof: 'constant',
  *attempts({ slots }) {
    for (const slot of slots) {
      for (const value of valuesFor(slot)) yield constantValue(slot, shown(value), value);
    }
  },
});

const shown = (value: JSONValue): string => {
  const json = JSON.stringify(value);
  return json.length > 60 ? `${json.slice(0, 60)}…` : json;
};

const isNumber = ({ type }: InputSlot): boolean => type === 'number' || type === 'other';
const isText = ({ type, choices }: InputSlot): boolean =>
  type !== 'number' && type !== 'boolean' && choices.length === 0;

export const types: readonly Attack[] = [
  typeAttack('01', 'A number as a text wins', 'Reject texts where the schema has a number.', (slot) =>
    isNumber(slot) ? ['0', '1', '', 'x', '1e3', '0x1'] : [],
  ),
  typeAttack('02', 'A boolean wins', 'Reject booleans where the schema has another type.', ({ type }) =>
    type === 'boolean' ? [] : [true, false],
  ),
  typeAttack(
    '03',
    'A list or an object wins',
    'Reject lists and objects where the schema has a scalar.',
    ({ choices }) => [
      [],
      [''],
      [0],
      {},
      { $ne: null },
      { length: 0 },
      [true],
      ...(choices.length > 1 ? [choices as JSONValue[]] : []),
    ],
  ),
  {
    id: 'AUDIT-TYPE-04',
    category: 'type',
    title: 'A missing value wins',
    advice: 'Reject calls without a required value, and never count a missing value as equal.',
    proof: 'constant',
    *attempts({ tools, slots }) {
      for (const slot of slots) yield constantValue(slot, 'null', null);
      for (const slot of slots) {
        const { [slot.name]: _omitted, ...others } = slot.base;
        yield constantCall(`${slotName(slot)} is missing`, slot.tool, others);
      }
      for (const { name } of tools) yield constantCall(`${name} has no arguments`, name, {});
    },
  },
  typeAttack(
    '05',
    'A value that is not a number wins',
    'Reject values for which Number.isFinite is false before you compare; no comparison with NaN is true.',
    (slot) =>
      isNumber(slot) || isText(slot) ? ['NaN', 'nan', 'Infinity', '-Infinity', 'inf', '1e999', '-0', '1/0', '0/0'] : [],
  ),
  typeAttack('06', 'A huge or tiny number wins', 'Set minimum and maximum in the schema of the parameter.', (slot) => {
    const numbers = [
      1e308,
      -1e308,
      5e-324,
      Number.MAX_SAFE_INTEGER,
      -Number.MAX_SAFE_INTEGER,
      2_147_483_648,
      -1,
      1e21,
      0,
    ];
    if (isNumber(slot)) return numbers;
    return isText(slot) ? ['9'.repeat(400), `-${'9'.repeat(400)}`, '1e308', '0.0000000000000000001'] : [];
  }),
];
