import type { SerializedToolOutput } from '../protocol/index.ts';

/**
 * A tool's output as the JSON of a successful result, keys in the order of the documents. Whole rewards keep a fraction,
 * as the documents write them: a reader that tells 1 from 1.0 sees a float.
 */
export function successJson({ blocks, metadata, reward, finished }: SerializedToolOutput): string {
  if (reward === null || !Number.isInteger(reward) || Math.abs(reward) >= 1e21) {
    return JSON.stringify({ ok: true, output: { blocks, metadata, reward, finished } });
  }
  const fraction = Object.is(reward, -0) ? '-0.0' : `${reward}.0`;
  const output = `"blocks":${JSON.stringify(blocks)},"metadata":${JSON.stringify(metadata)}`;
  return `{"ok":true,"output":{${output},"reward":${fraction},"finished":${finished}}}`;
}

/** A failure that the agent can act on. Source: data types, "RunToolError". */
export function failureJson(tool: string, reason: string): string {
  return JSON.stringify({ ok: false, error: `Tool '${tool}' failed: ${reason}` });
}
