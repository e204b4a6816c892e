import type { Episode, Tool } from '../../environment/index.ts';
import type { JSONObject } from '../../protocol/index.ts';
import { reportAuthorError } from '../author-error.ts';
import type { ServerContext } from '../context.ts';
import type { Session } from '../sessions/session.ts';
import type { CallOutcome } from './call-table.ts';
import { failureJson, successJson } from './result-json.ts';

export interface ToolCall {
  readonly name: string;
  readonly input: JSONObject;
  /** Something in the input's JSON text that the value does not keep. */
  readonly unkept: { readonly pointer: string; readonly message: string } | undefined;
}

/**
 * Carries a call out once setup is done and earlier calls of the same tool are. Never rejects: what the agent can act on
 * becomes a result with `ok: false`, anything else an error. Source: HTTP API, "POST /{env_name}/call".
 */
export async function callTool(session: Session, call: ToolCall, context: ServerContext): Promise<CallOutcome> {
  let episode: Episode;
  try {
    episode = await session.ready;
  } catch (error) {
    return { event: 'error', message: error instanceof Error ? error.message : String(error) };
  }
  const tool = episode.tool(call.name);
  if (!tool) {
    const names = episode.toolSpecs.map(({ name }) => name).join(', ');
    return failed(call, `unknown tool; this episode has: ${names}`);
  }
  if (call.unkept) {
    const place = call.unkept.pointer.slice('/input'.length) || 'the input';
    return failed(call, `${place} ${call.unkept.message}`);
  }
  return session.tools.run(call.name, tool.concurrent, () => run(session, episode, tool, call, context));
}

async function run(
  session: Session,
  episode: Episode,
  tool: Tool,
  call: ToolCall,
  context: ServerContext,
): Promise<CallOutcome> {
  if (session.isOver) return { event: 'error', message: 'session is over' };
  if (session.isFinished) return failed(call, 'the episode is finished; no tool runs after that');
  try {
    const result = await episode.run(tool, call.input);
    if (!result.ok) return failed(call, session.redact(result.reason));
    if (result.output.finished) session.isFinished = true;
    return { event: 'end', json: successJson(result.output) };
  } catch (error) {
    return { event: 'error', message: reportAuthorError(error, session.code(`tool ${call.name}`), context) };
  }
}

const failed = ({ name }: ToolCall, reason: string): CallOutcome => ({ event: 'end', json: failureJson(name, reason) });
