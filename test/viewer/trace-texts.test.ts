import { describe, expect, it, test } from '@jest/globals';
import type { Trace } from '../../generated/trace.ts';
import { stripControls } from '../../src/core/index.ts';
import { readTokenUsage } from '../../src/viewer/page/parts/trace-info.ts';
import { findAdjacentTraces } from '../../src/viewer/page/trace/neighbours.ts';
import { sinceStart, unknownTraceParams } from '../../src/viewer/page/trace/visible-rows.ts';
import fc, { unicode } from '../support/fast-check.ts';

describe('the texts of the trace page', () => {
  it('removes escape sequences, control characters and direction marks from previews', () => {
    fc.assert(
      fc.property(unicode(), (text) => {
        const shown = stripControls(`\u001b[31mred\u001b[0m ${text}\u202e`);

        expect(shown).toMatch(/^red /);
        expect(shown).not.toMatch(/[^\P{Cc}\t\n]|[\u202a-\u202e]/u);
      }),
    );
  });

  it.each([
    ['0.250', '+0.25 s'],
    ['42.340', '+42.3 s'],
    ['187.000', '+3:07'],
    ['7509.000', '+2:05:09'],
  ])('formats the time since the beginning: %s s', (seconds, said) => {
    const at = new Date(Number(seconds) * 1_000).toISOString();

    const text = sinceStart(at, new Date(0).toISOString());

    expect(text).toBe(said);
  });

  it.each([
    [{ usage: { prompt_tokens: 3, completion_tokens: 4 } }, {}, { input: 3, output: 4, total: 7 }],
    [{}, { usage: { inputTokens: 5, totalTokens: 9 } }, { input: 5, output: undefined, total: 9 }],
    [{ usage: 'none' }, {}, undefined],
  ])('sums the tokens of %j and %j', (metadata, rollout_info, said) => {
    const usage = readTokenUsage({ metadata, rollout_info });

    expect(usage).toEqual(said);
  });

  it('finds the traces before and after one, also among equal timestamps', async () => {
    const moment = '2026-01-01T00:00:00.999999Z';
    const ids = ['tr_a', 'tr_b', 'tr_c', 'tr_d', 'tr_e', 'tr_f'];
    const times = ['2026-01-01T00:00:00.999998Z', moment, moment, moment, moment, '2026-01-01T00:00:01.000000Z'];
    const traces = ids.map((id, index) => ({ id, created_at: times[index] }) as Trace);
    const list: Parameters<typeof findAdjacentTraces>[1] = async ({
      order,
      created_after,
      created_before,
      cursor,
      limit,
    }) => {
      const found = traces
        .filter(({ created_at }) => created_after === undefined || created_at >= created_after)
        .filter(({ created_at }) => created_before === undefined || created_at < created_before);
      const sorted = order === 'asc' ? found : found.reverse();
      const from = Number(cursor ?? 0);
      const next_cursor = from + limit < sorted.length ? String(from + limit) : null;
      return { traces: sorted.slice(from, from + limit), page: { next_cursor } };
    };

    const found = await Promise.all(traces.map((trace) => findAdjacentTraces(trace, list)));

    expect(found.map(({ previous }) => previous)).toEqual([undefined, ...ids.slice(0, -1)]);
    expect(found.map(({ next }) => next)).toEqual([...ids.slice(1), undefined]);
  });
});

test.each([
  ['only=foo', ['only']],
  ['only=errors,rewards', []],
  ['only=', []],
])('reports the invalid parameters of the address ?%s of a trace: %j', (address, names) => {
  expect(unknownTraceParams(new URLSearchParams(address))).toEqual(names);
});
