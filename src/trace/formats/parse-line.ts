import { isRecord, parseOrUndefined } from '../../protocol/index.ts';
import { scanJson } from '../model/index.ts';

/** A request may nest 512 levels; an export puts a few more around a block. */
const MAX_DEPTH = 520;

export type ParsedLine =
  | { readonly value: Readonly<Record<string, unknown>>; readonly reason?: never }
  | { readonly reason: string; readonly value?: never };

/** Parses a line that must be a JSON object; what JavaScript would change or could not walk through is refused. */
export function parseLine(text: string): ParsedLine {
  const { depth, changed } = scanJson(text);
  if (depth > MAX_DEPTH) return { reason: `the line nests deeper than ${MAX_DEPTH} levels` };
  const value = parseOrUndefined(text);
  if (value === undefined) return { reason: 'the line is not JSON' };
  if (!isRecord(value)) return { reason: 'the line is JSON, but no object' };
  if (changed) return { reason: 'the line holds a number that a double does not keep; write it as text' };
  return { value };
}
