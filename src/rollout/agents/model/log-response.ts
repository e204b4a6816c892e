import { definedFields } from '../../../core/index.ts';
import type { JSONObject } from '../../../protocol/index.ts';
import type { LoggedBlock, TraceHandle } from '../../../trace/client/index.ts';
import { isToolName, uniqueCallId } from '../../../trace/model/index.ts';
import type { ModelResponse } from './model-response.ts';
import type { ParsedCall } from './toolbox.ts';

export type ResponseLog = ReturnType<typeof createResponseLog>;

/**
 * Creates a log that writes the messages of a model to the trace of an episode, or discards them if there is none. The
 * session logs the results of the calls.
 */
export function createResponseLog(trace: TraceHandle | undefined) {
  // Providers may repeat ids in later responses; in a trace they are unique.
  const ids = new Set<string>();
  return {
    system: (content: string) => void trace?.logMessage({ role: 'system', content }),
    /** Logs the message that follows a response without a parsable call. */
    correction: (content: string) => void trace?.logMessage({ role: 'user', content }),
    /** Logs a response and its calls. The session logs their results below it. */
    async response(response: ModelResponse, calls: readonly ParsedCall[]): Promise<void> {
      if (!trace) return;
      await trace.ready();
      const logged = calls.map((call) => {
        const callId = uniqueCallId(call.id, (id) => ids.has(id));
        ids.add(callId);
        return { call, callId };
      });
      const toolUses = logged.map(({ call, callId }) => ({ type: 'tool_use', id: callId, name: call.name }));
      const texts = response.parts.flatMap((part) => (part.type === 'text' && part.text !== '' ? [part.text] : []));
      const withoutText = toolUses.length > 0 ? toolUses : [{ type: 'text', text: '' }];
      const content = texts.length > 0 ? texts.join('\n') : withoutText;
      const { id } = trace.logMessage({ role: 'assistant', content, extra: extraOf(response) });
      for (const part of response.parts) {
        if (part.type !== 'reasoning' || part.text === '') continue;
        trace.logThink({ parent_block_id: id, payload: { text: part.text } });
      }
      for (const { call, callId } of logged) logCall(trace, id, call, callId);
    },
  };
}

function logCall(trace: TraceHandle, parent_block_id: LoggedBlock['id'], call: ParsedCall, call_id: string): void {
  const { name } = call;
  // The session logs calls of tools whose names a trace cannot contain.
  if (!isToolName(name) && !('problem' in call)) return;
  const payload = {
    call_id,
    name: isToolName(name) ? name : 'unnamed',
    arguments: 'problem' in call ? call.rawText : call.input,
  };
  const extra = isToolName(name) ? {} : { extra: { name } };
  const act = trace.logAct({ parent_block_id, payload, ...extra });
  if (!('problem' in call)) return;
  // A malformed call never reaches the session, so its result is logged here.
  const output = { ok: false, error: call.problem };
  trace.logObserve({ parent_block_id: act.id, payload: { call_id, output }, extra: { tool_error: true } });
}

function extraOf({ usage, finish, model }: ModelResponse): JSONObject {
  const tokens = definedFields({ input_tokens: usage.inputTokens.total, output_tokens: usage.outputTokens.total });
  return {
    ...(Object.keys(tokens).length > 0 && { usage: tokens }),
    finish_reason: finish.raw ?? finish.unified,
    ...definedFields({ model }),
  };
}
