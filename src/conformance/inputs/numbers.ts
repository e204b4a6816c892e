import { type ResolvedSchema, strictestLowerBound, strictestUpperBound } from './shape.ts';

/** The numbers that a shape allows: from `lowest` to `highest`, and if there is a step only its multiples. */
export interface NumberRange {
  readonly lowest: number | undefined;
  readonly highest: number | undefined;
  readonly step: number | undefined;
}

/** A number, and what it is in words. */
export type LabelledNumber = readonly [number, string];

export function numberRange(shape: ResolvedSchema, isInteger: boolean): NumberRange {
  const { minimum, over, maximum, under } = boundsOf(shape);
  const step = stepOf(shape, isInteger);
  const highest = Math.min(maximum ?? Infinity, under ?? Infinity);
  const lowest = Math.max(minimum ?? -Infinity, over ?? -Infinity);
  // Without steps, the number beside a bound that is excluded is up to us.
  const distance = Math.min(1, (highest - lowest) / 2);
  return {
    step,
    lowest: extreme(Math.max, [
      ifAny(minimum, (bound) => (step ? times(step, Math.ceil(bound / step)) : bound)),
      ifAny(over, (bound) => (step ? times(step, Math.floor(bound / step) + 1) : bound + distance)),
    ]),
    highest: extreme(Math.min, [
      ifAny(maximum, (bound) => (step ? times(step, Math.floor(bound / step)) : bound)),
      ifAny(under, (bound) => (step ? times(step, Math.ceil(bound / step) - 1) : bound - distance)),
    ]),
  };
}

/** Simplest first: the one next to 0. */
export function generateNumbers(shape: ResolvedSchema, isInteger: boolean): number[] {
  const { lowest, highest } = numberRange(shape, isInteger);
  const nearest = Math.max(lowest ?? -Infinity, Math.min(highest ?? Infinity, 0));
  return [nearest, lowest, highest].filter((value) => value !== undefined);
}

/** Different numbers. */
export function* variedNumbers(shape: ResolvedSchema, isInteger: boolean): Generator<number> {
  const { lowest, highest, step = 1 } = numberRange(shape, isInteger);
  const first = lowest ?? (highest === undefined ? 0 : highest - 1_000 * step);
  for (let index = 0; index <= 1_000; index++) yield times(step, first / step + index);
}

/** The numbers at the ends of the range. */
export function boundaryNumbers(shape: ResolvedSchema, isInteger: boolean): LabelledNumber[] {
  const { minimum, maximum } = boundsOf(shape);
  const { lowest, highest } = numberRange(shape, isInteger);
  return worded([
    [lowest, lowest === minimum ? `at its minimum ${lowest}` : `${lowest}, close to its lower bound`],
    [highest, highest === maximum ? `at its maximum ${highest}` : `${highest}, close to its upper bound`],
  ]);
}

/** Numbers outside of it, or between its steps. */
export function outOfRangeNumbers(shape: ResolvedSchema, isInteger: boolean): LabelledNumber[] {
  const { minimum, over, maximum, under } = boundsOf(shape);
  const { lowest, highest, step } = numberRange(shape, isInteger);
  const less = ifAny(minimum, (bound) => (step ? times(step, Math.ceil(bound / step) - 1) : bound - 1));
  const more = ifAny(maximum, (bound) => (step ? times(step, Math.floor(bound / step) + 1) : bound + 1));
  const atOver = ifAny(over, (bound) => (step ? times(step, Math.floor(bound / step)) : bound));
  const atUnder = ifAny(under, (bound) => (step ? times(step, Math.ceil(bound / step)) : bound));
  const start = lowest ?? (highest === undefined || step === undefined ? 0 : highest - step);
  const between = step === undefined || (isInteger && step === 1) ? undefined : start + (isInteger ? 1 : step / 2);
  return worded([
    [less, `${less}, below its minimum ${minimum}`],
    [more, `${more}, above its maximum ${maximum}`],
    [atOver, `${atOver}, where it must be above ${over}`],
    [atUnder, `${atUnder}, where it must be below ${under}`],
    [between, `${between}, no multiple of ${step}`],
    [isInteger ? start + 0.5 : undefined, `${start + 0.5}, no integer`],
  ]);
}

function boundsOf(shape: ResolvedSchema) {
  return {
    minimum: strictestLowerBound(shape, 'minimum'),
    over: strictestLowerBound(shape, 'exclusiveMinimum'),
    maximum: strictestUpperBound(shape, 'maximum'),
    under: strictestUpperBound(shape, 'exclusiveMaximum'),
  };
}

function stepOf(shape: ResolvedSchema, isInteger: boolean): number | undefined {
  const step = strictestLowerBound(shape, 'multipleOf');
  if (!isInteger || step === undefined) return step ?? (isInteger ? 1 : undefined);
  return Number.isInteger(1 / step) ? 1 : step;
}

/** Without the error that 3 * 0.1 has. */
const times = (step: number, count: number) =>
  Number.isInteger(step) ? step * count : Number((step * count).toPrecision(12));

const ifAny = (bound: number | undefined, result: (bound: number) => number) =>
  bound === undefined ? undefined : result(bound);

function extreme(choose: (...values: number[]) => number, values: readonly (number | undefined)[]): number | undefined {
  const found = values.filter((value) => value !== undefined);
  return found.length === 0 ? undefined : choose(...found);
}

const worded = (pairs: readonly (readonly [number | undefined, string])[]): LabelledNumber[] =>
  // What JavaScript rounds may be on the other side of the bound for others.
  pairs.filter((pair): pair is LabelledNumber => pair[0] !== undefined && Math.abs(pair[0]) <= Number.MAX_SAFE_INTEGER);
