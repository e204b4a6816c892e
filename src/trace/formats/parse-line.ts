import { isRecord, JsonSyntaxError, parseJson } from '../../core/index.ts';

/** A request may nest 512 levels; an export puts a few more around a block. */
const MAX_DEPTH = 520;

export type ParsedLine =
  | { readonly value: Readonly<Record<string, unknown>>; readonly reason?: never }
  | { readonly reason: string; readonly value?: never };

/** Parses a line that must be a JSON object; what JavaScript would change or could not walk through is rejected. */
export function parseLine(text: string): ParsedLine {
  try {
    const { value, problems } = parseJson(text, { depth: MAX_DEPTH, structures: Infinity });
    if (!isRecord(value)) return { reason: 'the line is JSON, but not an object' };
    if (problems.every(({ kind }) => kind !== 'number')) return { value };
    return { reason: 'the line contains a number that a double does not keep; write it as text' };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    if (error.reason === 'depth') return { reason: `the line nests deeper than ${MAX_DEPTH} levels` };
    return { reason: 'the line is not JSON' };
  }
}
