import { assertConforms } from '../../verdict.ts';
import { type CallValue, type CommandOutcome, ensureValue, shorten } from '../adapter/index.ts';

/** The point in question: the call gave exactly one text block with this text. */
export function ensureText(outcome: CommandOutcome<CallValue>, text: string, what: string): CallValue {
  const value = ensureValue(outcome, what);
  const [block, ...others] = value.blocks;
  const isRight = block?.type === 'text' && block.text === text && others.length === 0;
  assertConforms(isRight, `${what} gave ${difference(value, text)}`);
  return value;
}

/** Where two texts part, since they may be long. */
function difference({ blocks }: CallValue, text: string): string {
  const found = blocks.length === 1 ? blocks[0]?.text : undefined;
  if (typeof found !== 'string') return `${shorten(JSON.stringify(blocks))} instead of one text block`;
  let at = 0;
  while (at < text.length && text[at] === found[at]) at++;
  const around = (value: string) => JSON.stringify(value.slice(Math.max(0, at - 10), at + 20));
  const lengths = `${found.length} characters instead of ${text.length}`;
  return `${lengths}: from character ${at} on ${around(found)} instead of ${around(text)}`;
}
