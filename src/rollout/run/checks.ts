/** Check of a value that was read from a file. */
export type Check = (value: unknown) => boolean;

export const isText: Check = (value) => typeof value === 'string';
export const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value);
export const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
export const isFlag: Check = (value) => typeof value === 'boolean';

export const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);

export const orUndefined =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
