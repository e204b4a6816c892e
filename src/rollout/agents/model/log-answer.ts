import { uniqueName } from '../../../core/index.ts';
import type { JSONObject } from '../../../protocol/index.ts';
import type { LoggedBlock, TraceHandle } from '../../../trace/client/index.ts';
import { isToolName } from '../../../trace/model/index.ts';
import type { ModelResponse } from './answer.ts';
import type { ParsedCall } from './toolbox.ts';

/** Ids that every store takes. */
const PLAIN = /^[!-~]{1,200}$/;

/** Logs what a model said to the trace of its episode; nothing where there is none. */
export interface ResponseLog {
  readonly system: (text: string) => void;
  /** What the model is told of an answer that could not be read. */
  readonly correction: (text: string) => void;
  /** What the session logs of the calls hangs under this. */
  readonly response: (response: ModelResponse, calls: readonly ParsedCall[]) => Promise<void>;
}

export function createResponseLog(trace: TraceHandle | undefined): ResponseLog {
  if (!trace) return { system: () => undefined, correction: () => undefined, response: async () => undefined };
  const ids = new Set<string>();
  return {
    system: (content) => void trace.logMessage({ role: 'system', content }),
    correction: (content) => void trace.logMessage({ role: 'user', content }),
    async response(response, calls) {
      await trace.ready();
      const logged = calls.map((call) => ({ call, callId: uniqueId(PLAIN.test(call.id) ? call.id : 'call', ids) }));
      const announced = logged.map(({ call, callId }) => ({ type: 'tool_use', id: callId, name: nameOf(call) }));
      const output = response.parts.flatMap((part) => (part.type === 'text' && part.text !== '' ? [part.text] : []));
      const silent = announced.length > 0 ? announced : [{ type: 'text', text: '' }];
      const content = output.length > 0 ? output.join('\n') : silent;
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
  const name = nameOf(call);
  // The session logs the call of such a tool itself, as well as can be.
  if (!isToolName(name) && !('problem' in call)) return;
  const named = isToolName(name) ? { name } : { name: 'unnamed' };
  const given = 'problem' in call ? call.rawText : call.input;
  const extra = isToolName(name) ? {} : { extra: { name } };
  const act = trace.logAct({ parent_block_id, payload: { call_id, ...named, arguments: given }, ...extra });
  if (!('problem' in call)) return;
  // Nobody else knows of it.
  const output = { ok: false, error: call.problem };
  trace.logObserve({ parent_block_id: act.id, payload: { call_id, output }, extra: { tool_error: true } });
}

const nameOf = (call: ParsedCall): string => ('problem' in call ? call.toolName : call.name);

function extraOf({ usage, finish, model }: ModelResponse): JSONObject {
  const tokens = { input_tokens: usage.inputTokens.total, output_tokens: usage.outputTokens.total };
  const known = Object.entries(tokens).filter(([, value]) => value !== undefined);
  return {
    ...(known.length > 0 ? { usage: Object.fromEntries(known) as JSONObject } : {}),
    finish_reason: finish.raw ?? finish.unified,
    ...(model === undefined ? {} : { model }),
  };
}

/** Providers may repeat ids in later answers, and a trace has each once. */
function uniqueId(requested: string, taken: Set<string>): string {
  const id = uniqueName(requested, (other) => taken.has(other), { separator: '#' });
  taken.add(id);
  return id;
}
