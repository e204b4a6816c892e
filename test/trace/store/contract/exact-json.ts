import { expect, test } from '@jest/globals';
import type { TraceInput } from '../../../../generated/trace.ts';
import { parseJson, stringifyJson } from '../../../../src/core/index.ts';
import { message, type OpenStore, ORG, openConversation, post, result } from '../stores.ts';

const NUMBERS = `[9007199254740993,-9223372036854775808,12345678901234567890,0.12345678901234567890123,1e400,1e-400,-0]`;

/** Parses JSON as the API does. */
const parse = (text: string): unknown => parseJson(text, { exactNumbers: true }).value;

/** Returns the JSON of a value with numbers in place of `"N"`. */
const withNumbers = (value: unknown): string => JSON.stringify(value).replaceAll('"N"', NUMBERS);

/** Any JSON in the fields of a client, returned as it was sent. */
export function testExactJson(open: OpenStore): void {
  test('returns numbers that a double would change as they were sent', async () => {
    await using store = await open();
    const id = await openConversation(store);
    const own = { raw: 'N', extra: { n: 'N' }, metadata: { n: 'N' } };
    const blocks = [
      { ...message([{ type: 'x', n: 'N' }]), ...own, id: 'tb_n' },
      { ...result({ output: { n: 'N' } }), id: 'tb_r' },
    ];
    const body = withNumbers({ blocks });

    const first = await post(store, id, parse(body));
    const again = await post(store, id, parse(body));

    expect([first.isNew, again.isNew]).toEqual([true, false]);
    await expect(post(store, id, parse(body.replace('9007199254740993', '9007199254740992')))).rejects.toThrow(/tb_n/);
    const stored = [
      (await store.texts(ORG, id, { after: 2 })).map(({ members }) => members).join(),
      (await store.blocks(ORG, id, { after: 2 })).map(({ block }) => stringifyJson(block)).join(),
      stringifyJson([await store.block(ORG, id, 'tb_n'), await store.block(ORG, id, 'tb_r')]),
    ];
    for (const text of stored) expect(text.split(NUMBERS)).toHaveLength(6);
    expect(await store.verify()).toEqual([]);
  });

  test('returns the numbers of a trace as they were sent, and tells tasks apart by them', async () => {
    await using store = await open();
    const input = (text: string) => parse(text) as TraceInput;
    const fields = withNumbers({ metadata: { n: 'N' }, task_spec: { n: 'N' }, run_info: { n: 'N' } });

    const { trace } = await store.createTrace(ORG, input(fields));
    await store.updateTrace(ORG, trace.id, { rollout_info: input(`{"x":${NUMBERS}}`) as never });
    const other = await store.createTrace(ORG, input(fields.replaceAll('9007199254740993', '9007199254740992')));

    const found = await store.trace(ORG, trace.id);
    expect(stringifyJson(found).split(NUMBERS)).toHaveLength(5);
    expect(other.trace.task_key).not.toBe(trace.task_key);
    expect(stringifyJson((await store.traces(ORG, { limit: 5 })).items).split(NUMBERS)).toHaveLength(5);
  });

  test.each([
    ['a text', 'x'],
    ['a number', 0],
    ['a list', [{ reward: 1 }]],
    ['false', false],
    ['null', null],
    ['an object', { reward: 1.5 }],
  ])('returns %s as extra, metadata and raw, and as arguments and delta', async (what, value) => {
    await using store = await open();
    const id = await openConversation(store);
    const own = { extra: value, metadata: value, raw: value };
    const args = typeof value === 'string' ? JSON.stringify(value) : value;
    const call = {
      id: 'tb_c',
      sub_type: 'TOOL_CALL',
      parent_block_id: 'tb_a',
      payload: { name: 'f', arguments: args },
    };

    await post(store, id, { blocks: [{ ...message(), ...own, id: 'tb_a' }, call] });
    if (value !== null) await post(store, id, { ...result({ delta: value, seq: 3 }), id: 'tb_d' });

    expect(await store.block(ORG, id, 'tb_a')).toMatchObject(own);
    expect((await store.block(ORG, id, 'tb_c')).payload).toEqual({ name: 'f', arguments: value });
    if (value !== null) expect((await store.block(ORG, id, 'tb_d')).payload).toEqual({ delta: value, seq: 3 });
    expect((await store.trace(ORG, id)).reward_sum).toBe(what === 'an object' ? 1.5 : null);
    expect(await store.verify()).toEqual([]);
  });

  test('adds its annotations to an object that the client sent as metadata, and recognizes the block again', async () => {
    await using store = await open();
    const id = await openConversation(store);
    const block = { ...message(), id: 'tb_m', metadata: { a: 1 } };

    await post(store, id, block, { metadata: { key_id: 'key_1' } });
    const again = await post(store, id, block, { metadata: { key_id: 'key_2' } });

    expect((await store.block(ORG, id, 'tb_m')).metadata).toEqual({ a: 1, key_id: 'key_1' });
    expect(again.isNew).toBe(false);
    await expect(post(store, id, { ...block, metadata: { a: 2 } })).rejects.toThrow(/tb_m/);
  });
}
