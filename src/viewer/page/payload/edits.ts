import type { JSONObject } from '../../../../generated/trace.ts';

/** How editors of files name what was there and what is there afterwards. */
const PAIRS = [
  ['old_str', 'new_str'],
  ['old_string', 'new_string'],
  ['old_text', 'new_text'],
  ['before', 'after'],
  ['search', 'replace'],
] as const;

/** A change of a text among the arguments of a call. */
export interface TextEdit {
  readonly before: string;
  readonly after: string;
  readonly names: readonly [string, string];
}

/** The change that a call asks for, as far as names tell. */
export function findTextEdit(given: JSONObject): TextEdit | undefined {
  for (const names of PAIRS) {
    const [before, after] = names.map((name) => given[name]);
    if (typeof before === 'string' && typeof after === 'string') return { before, after, names };
  }
  return undefined;
}
