import { expect } from '@jest/globals';
import type { Block } from '../../../generated/trace.ts';
import {
  type BlockCheckResult,
  checkAppendRequest,
  createPendingBlocks,
  readTraceLimits,
  type TraceErrorBody,
} from '../../../src/trace/model/index.ts';
import { traceValidator } from '../../support/validators.ts';

export const TRACE = 'tr_test';

export const message = (parts: object = {}) => ({
  sub_type: 'MESSAGE',
  payload: { role: 'user', content: "what's the weather?" },
  ...parts,
});
export const call = (parts: object = {}) => ({
  sub_type: 'TOOL_CALL',
  parent_block_id: 'tb_msg123',
  payload: { call_id: 'call_1', name: 'get_weather', arguments: { city: 'bogotá' } },
  ...parts,
});
export const result = (parts: object = {}) => ({
  sub_type: 'TOOL_RESULT',
  parent_block_id: 'tb_call123',
  payload: { call_id: 'call_1', output: { forecast: '22°C cloudy' } },
  ...parts,
});
export const think = (parts: object = {}) => ({
  sub_type: 'THINK',
  parent_block_id: 'tb_msg123',
  payload: { text: 'decide to show forecast in celsius' },
  ...parts,
});

interface Posted {
  readonly outcomes?: readonly BlockCheckResult[];
  readonly failure?: TraceErrorBody;
}

/** Store of one trace in memory that validates all input and output against trace.schema.json. */
export function createStore(env: Record<string, string> = {}, timeOf = (place: number) => place) {
  const rows: Block[] = [];
  const known = createPendingBlocks();
  const limits = readTraceLimits(env);

  function post(body: unknown): Posted {
    const { outcomes, failure } = checkAppendRequest(body, { traceId: TRACE, limits, known });
    if (failure) {
      expect(traceValidator('TraceError')({ error: failure }) || traceValidator('TraceError').errors).toBe(true);
      return { failure };
    }
    for (const outcome of outcomes) {
      if (outcome.kind === 'replay') continue;
      const time = `2025-03-01T12:00:00.${String(timeOf(rows.length)).padStart(6, '0')}Z`;
      const row = { ...outcome.block, metadata: {}, created_at: time, updated_at: time };
      expect(traceValidator('Block')(row) || traceValidator('Block').errors).toBe(true);
      known.add(outcome.block);
      rows.push(row as Block);
    }
    return { outcomes };
  }

  return { rows, post };
}

/** Creates a store with the message `tb_msg123` and its call `tb_call123` with the call_id `call_1`. */
export function createConversation(env: Record<string, string> = {}) {
  const store = createStore(env);
  store.post({ blocks: [message({ id: 'tb_msg123' }), call({ id: 'tb_call123' })] });
  return store;
}

/** Summarizes a response: `422 role`, `409 DUPLICATE_CALL_ID`, or `accepted`. */
export function errorSummary({ failure }: Posted): string {
  if (!failure) return 'accepted';
  if (failure.code !== 'VALIDATION') return `${failure.http_status} ${failure.code}`;
  return `422 ${failure.details.issues.map(({ rule }) => rule).join(' ')}`;
}
