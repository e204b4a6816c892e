import type { JSONValue } from '../../../../generated/trace.ts';

/** Deeper lines stand below each other: a hundred thousand levels would be more blanks than there is memory. */
const MAX_INDENT = 32;
const MEMBERS_PER_STEP = 2_000;

interface Frame {
  readonly value: object;
  /** Of an object. */
  readonly keys: readonly string[] | undefined;
  readonly size: number;
  next: number;
}

/**
 * JSON as `JSON.stringify(value, null, 2)` writes it, of values of any depth. Yields now and then, for whoever has
 * something else to do meanwhile.
 */
export function* prettyJson(root: JSONValue): Generator<undefined, string> {
  const pieces: string[] = [];
  const frames: Frame[] = [];
  begin(root);
  for (let members = 0; frames.length > 0; members++) {
    if (members % MEMBERS_PER_STEP === 0) yield;
    step(frames[frames.length - 1] as Frame);
  }
  return pieces.join('');

  function begin(value: JSONValue): void {
    if (typeof value !== 'object' || value === null) {
      pieces.push(JSON.stringify(value) ?? 'null');
      return;
    }
    const keys = Array.isArray(value) ? undefined : Object.keys(value);
    const size = keys?.length ?? (value as readonly JSONValue[]).length;
    if (size === 0) pieces.push(keys ? '{}' : '[]');
    else {
      pieces.push(keys ? '{' : '[');
      frames.push({ value, keys, size, next: 0 });
    }
  }

  function step(frame: Frame): void {
    const { value, keys, size, next } = frame;
    if (next === size) {
      frames.pop();
      pieces.push(lineOf(frames.length), keys ? '}' : ']');
      return;
    }
    frame.next++;
    pieces.push(next > 0 ? ',' : '', lineOf(frames.length));
    const key = keys?.[next];
    if (key !== undefined) pieces.push(JSON.stringify(key), ': ');
    begin((value as Record<string, JSONValue>)[key ?? next] ?? null);
  }
}

const lineOf = (depth: number) => `\n${'  '.repeat(Math.min(depth, MAX_INDENT))}`;

/** The same at once. */
export function prettyJsonNow(value: JSONValue): string {
  const steps = prettyJson(value);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
