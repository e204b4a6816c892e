import { expect, test } from '@jest/globals';
import { call, message, type OpenStore, ORG, openConversation, post, result, think } from '../stores.ts';

const ids = (places: readonly { readonly id: string }[] | undefined) => places?.map(({ id }) => id);

export function testTree(open: OpenStore): void {
  test('pages through messages: by seq, then those without one in the order of writing', async () => {
    await using store = await open();
    const id = await openConversation(store);
    const numbered = (name: string, seq: number | undefined) => ({
      ...message(),
      id: name,
      payload: { role: 'user', content: 'x', seq },
    });
    await post(store, id, {
      blocks: [
        numbered('tb_7', 7),
        numbered('tb_none', undefined),
        numbered('tb_0', 0),
        numbered('tb_7_too', 7),
        numbered('tb_late', undefined),
      ],
    });

    const found: string[][] = [];
    for (let after: string | undefined; ; ) {
      const page = ids(await store.messages(ORG, id, { after, before: 7, limit: 2 })) ?? [];
      found.push(page);
      after = page.at(-1);
      if (page.length < 2) break;
    }

    expect(found).toEqual([['tb_0', 'tb_7'], ['tb_7_too', 'tb_msg123'], ['tb_none']]);
    expect(await store.messages(ORG, id, { after: 'tb_call123', before: 7, limit: 2 })).toBeUndefined();
    expect(await store.messages(ORG, id, { after: 'tb_nowhere', before: 7, limit: 2 })).toBeUndefined();
  });

  test('returns the children of blocks up to an ordinal, with their texts', async () => {
    await using store = await open();
    const id = await openConversation(store);
    await post(store, id, {
      blocks: [
        { ...message(), id: 'tb_second' },
        { ...think('"a\u0000\u{1f600}"'), id: 'tb_think' },
      ],
    });
    await post(store, id, result({ output: 'é', seq: 0 }, { reward: 0.1 + 0.2 }));

    const under = await store.children(ORG, id, ['tb_msg123', 'tb_call123'], 5);
    const all = await store.children(ORG, id, ['tb_msg123', 'tb_call123'], 6);

    expect(ids(under)?.sort()).toEqual(['tb_call123', 'tb_think']);
    expect(all.find(({ ord }) => ord === 5)).toMatchObject({ sub_type: 'TOOL_RESULT', seq: 0, bytes: 53 });
    expect(await store.orphans(ORG, id, 6)).toEqual([]);
    const parsed = async (fields: 'all' | 'skeleton') =>
      (await store.textsAt(ORG, id, all, fields)).map(({ members }) => JSON.parse(`{${members}}`));
    const places = new Set(all.map(({ ord }) => ord));
    const at = <T>(stored: readonly { readonly ord: number; readonly block: T }[]) =>
      stored.filter(({ ord }) => places.has(ord)).map(({ block }) => block);
    expect(await parsed('all')).toEqual(at(await store.blocks(ORG, id)));
    expect(await parsed('skeleton')).toEqual(at(await store.skeletons(ORG, id)));
  });

  test('returns the parents of all blocks up to an ordinal as positions', async () => {
    await using store = await open();
    const id = await openConversation(store);
    await post(store, id, { blocks: [{ ...think('x'), id: 'tb_think' }, message()] });
    await post(store, id, result({ output: 'é', seq: 0 }, { reward: 0.1 + 0.2 }));

    const places = [];
    for await (const page of store.positions(ORG, id, 6)) places.push(...page);
    const before = [];
    for await (const page of store.positions(ORG, id, 3)) before.push(...page.map(({ ord }) => ord));

    expect(places).toMatchObject([
      { ord: 1, sub_type: 'MESSAGE', role: 'user', parent_block_id: null, parent: null, seq: null, reward: null },
      { ord: 2, sub_type: 'TOOL_CALL', role: null, parent_block_id: 'tb_msg123', parent: 1 },
      { ord: 3, sub_type: 'THINK', parent: 1 },
      { ord: 4, sub_type: 'MESSAGE', parent: null },
      { ord: 5, sub_type: 'TOOL_RESULT', parent: 2, seq: 0, bytes: 53, reward: 0.1 + 0.2 },
    ]);
    expect(before).toEqual([1, 2]);
  });

  test('returns skeleton texts with a call_id, a name, an agent and a preview that databases cannot store', async () => {
    await using store = await open();
    const id = await openConversation(store);
    for (const text of ['"', '\\', '\ud800', '\u0000', '{}', '\u2028', '"quoted"', '\u0001\n\t']) {
      const extra = { thread: text };
      await post(store, id, { blocks: [call({ call_id: `c${text}` }), { ...think(text), extra }] });
    }

    const texts = await store.texts(ORG, id, {}, 'skeleton');

    const outlines = (await store.skeletons(ORG, id)).map(({ block }) => block);
    expect(texts.map(({ members }) => JSON.parse(`{${members}}`))).toEqual(outlines);
  });
}
