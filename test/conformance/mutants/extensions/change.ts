import { sidOf, taskOf } from '../sessions/change.ts';
import { frameOf } from '../streams/frames.ts';
import { changedJson, isFor, type Wire, type WireAnswer, type WireRequest } from '../wire.ts';

/** A response of `/tools` or `/task_tools`. */
export interface ToolList {
  readonly tools: readonly object[];
  readonly terminal_tool?: object | null;
  readonly supports_score_group?: boolean;
  readonly message_block_types?: readonly string[];
}

/** Returns whether a request is for the fixture. */
export const ofFixture = ({ path }: WireRequest): boolean => path.startsWith('/conformance/');

/** Changes both lists of tools of the fixture. */
export const changedLists =
  (change: (list: ToolList, request: WireRequest) => object): NonNullable<Wire['answer']> =>
  async (answer, request) => {
    if (!ofFixture(request)) return answer;
    return changedJson('task_tools', change)(await changedJson('tools', change)(answer, request), request);
  };

/** Changes requests for an action while a slow setup runs. */
export function duringSetup(action: string, change: (request: WireRequest) => WireRequest | WireAnswer): Wire {
  const readyAt = new Map<string, number>();
  return {
    request(request) {
      const ms = isFor(request, 'create') ? taskOf(request).setup_ms : undefined;
      if (typeof ms === 'number') readyAt.set(sidOf(request), performance.now() + ms);
      const isEarly = isFor(request, action) && performance.now() < (readyAt.get(sidOf(request)) ?? 0);
      return isEarly ? change(request) : request;
    },
  };
}

/** Returns an event stream with the refusal of a call. */
export const refusedCall = (reason: string): WireAnswer => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' },
  body: Buffer.from(
    frameOf('task_id', 'refused') + frameOf('end', JSON.stringify({ ok: false, error: 'it is over', reason })),
  ),
});
