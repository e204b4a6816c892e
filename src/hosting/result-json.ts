import type { SerializedToolOutput } from '../protocol/index.ts';

/** A tool's output as the JSON of a successful result, keys in the order of the documents. */
export function successJson({ blocks, metadata, reward, finished }: SerializedToolOutput): string {
  const [given, score] = [metadata && JSON.stringify(metadata), reward === null ? null : floatLiteral(reward)];
  return `{"ok":true,"output":{"blocks":${JSON.stringify(blocks)},"metadata":${given},"reward":${score},"finished":${finished}}}`;
}

/** A failure that the agent can act on. Source: data types, "RunToolError". */
export function failureJson(tool: string, reason: string): string {
  return JSON.stringify({ ok: false, error: `Tool '${tool}' failed: ${reason}` });
}

/** Whole numbers keep a fraction, as the documents write rewards: a reader that tells 1 from 1.0 sees a float. */
function floatLiteral(value: number): string {
  if (Object.is(value, -0)) return '-0.0';
  return Number.isInteger(value) && Math.abs(value) < 1e21 ? `${value}.0` : String(value);
}
