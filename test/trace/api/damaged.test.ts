import { expect, test } from '@jest/globals';
import { joinPieces } from '../../../src/http/index.ts';
import { stitchedPage } from '../../../src/trace/api/stitched-page.ts';
import { openSqliteStore } from '../../../src/trace/store/index.ts';
import { describeUnless } from '../../support/optional.ts';
import { openFilled } from '../store/filled-database.ts';
import { call, message, ORG, openConversation, post, result, sqliteMissing, think } from '../store/stores.ts';

describeUnless(sqliteMissing)('a damaged database with orphaned blocks', () => {
  test('returns orphans once, on the last page, whether the trace is read whole or page by page', async () => {
    await using filled = await openFilled(async (store) => {
      const id = await openConversation(store);
      for (const turn of ['a', 'b', 'c']) {
        await post(store, id, { blocks: [{ ...message(), id: `tb_m${turn}` }] });
        const own = { ...call({ call_id: turn }), id: `tb_c${turn}`, parent_block_id: `tb_m${turn}` };
        const given = { ...result({ output: 1, call_id: turn }), parent_block_id: `tb_c${turn}` };
        await post(store, id, { blocks: [own, given, { ...think(), id: `tb_t${turn}` }] });
      }
    });
    const { database } = filled;
    database.exec('PRAGMA foreign_keys = OFF; DROP TRIGGER blocks_are_immutable');
    database.exec("UPDATE block_rows SET parent_block_id = 'tb_lost' WHERE id = 'tb_ca'");
    database.exec("UPDATE block_rows SET parent_block_id = 'tb_cc' WHERE id = 'tb_tb'");
    database.exec("UPDATE block_rows SET parent_block_id = 'tb_mb' WHERE parent_block_id = 'tb_cb'");
    await using store = await openSqliteStore({ path: filled.path });
    const page = async (query: object) => {
      const { content } = await stitchedPage(store, { org: ORG, traceId: 'tr_test' }, query);
      return JSON.parse('text' in content ? content.text : await joinPieces(content.pieces));
    };

    const whole = await page({});
    const parts = [await page({ limit: 1 })];
    for (let cursor = parts[0].page.next_cursor; cursor !== null; cursor = parts.at(-1).page.next_cursor) {
      parts.push(await page({ limit: 1, cursor }));
    }

    expect(whole.orphans).toMatchObject({ tool_calls: [{ id: 'tb_ca' }], thinks: [{ id: 'tb_tb' }] });
    expect([whole.orphans.tool_calls[0].tool_results.length, whole.orphans.tool_results.length]).toEqual([1, 1]);
    expect(parts.flatMap(({ messages }) => messages)).toEqual(whole.messages);
    expect(parts.map(({ orphans }) => orphans)).toEqual([
      ...parts.slice(1).map(() => ({ tool_calls: [], tool_results: [], thinks: [] })),
      whole.orphans,
    ]);
  });
});
