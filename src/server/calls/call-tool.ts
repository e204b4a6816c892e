import type { Episode } from '../../environment/index.ts';
import type { JSONObject } from '../../protocol/index.ts';
import { describeAuthorError } from '../author-error.ts';
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
  const ended = session.ended.then((ending): CallOutcome => ({ event: 'error', message: `session ${ending}` }));
  try {
    const episode = await session.ready;
    return await Promise.race([runInTurn(session, episode, call), ended]);
  } catch (error) {
    // Only setup's failure or the session's end, told as they are; runInTurn does not throw.
    return { event: 'error', message: error instanceof Error ? error.message : String(error) };
  }

  async function runInTurn({ tools, secrets }: Session, episode: Episode, { name, input, unkept }: ToolCall) {
    const fail = (reason: string): CallOutcome => ({ event: 'end', json: failureJson(name, reason) });
    const tool = episode.tool(name);
    if (!tool) return fail(`unknown tool; this episode has: ${episode.toolSpecs.map((spec) => spec.name).join(', ')}`);
    if (unkept) return fail(`${unkept.pointer.slice('/input'.length) || 'the input'} ${unkept.message}`);
    return tools.run(name, tool.concurrent, async (): Promise<CallOutcome> => {
      if (session.isOver) return { event: 'error', message: 'session is over' };
      if (session.isFinished) return fail('the episode is finished; no tool runs after that');
      try {
        const result = await episode.run(tool, input);
        if (!result.ok) return fail(result.reason);
        if (result.output.finished) session.isFinished = true;
        return { event: 'end', json: successJson(result.output) };
      } catch (error) {
        context.log.warn({ sid: session.sid, environment: session.environment.name, tool: name }, 'a tool threw');
        return { event: 'error', message: describeAuthorError(error, context.settings.errorDetail, secrets) };
      }
    });
  }
}
