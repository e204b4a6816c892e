import type { SerializedToolOutput } from '../protocol/index.ts';

/**
 * A tool's output as the JSON of a successful result, keys in the order of the documents. Whole rewards keep a fraction,
 * as the documents write them: a reader that tells 1 from 1.0 sees a float.
 */
export function successJson({ blocks, metadata, reward, finished }: SerializedToolOutput): string {
  const json = JSON.stringify({ ok: true, output: { blocks, metadata, reward, finished } });
  if (reward === null || !Number.isInteger(reward) || Math.abs(reward) >= 1e21) return json;
  // Pieces that are put together cost a large result one more copy: only the end is written anew.
  const end = `,"finished":${finished}}}`;
  const start = json.slice(0, -(String(reward).length + end.length));
  return `${start}${Object.is(reward, -0) ? '-0.0' : reward.toFixed(1)}${end}`;
}

/** A failure that the agent can act on. Source: data types, "RunToolError". */
export function failureJson(tool: string, reason: string): string {
  return JSON.stringify({ ok: false, error: `Tool '${tool}' failed: ${reason}` });
}
