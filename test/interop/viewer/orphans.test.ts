import { expect, test } from '@jest/globals';
import { serveTraces } from '../../../src/trace/api/index.ts';
import { readTraceLimits } from '../../../src/trace/model/index.ts';
import { openSqliteStore, type TraceStore } from '../../../src/trace/store/index.ts';
import { describeUnless } from '../../support/optional.ts';
import { openFilled } from '../../trace/store/filled-database.ts';
import { sqliteMissing } from '../../trace/store/stores.ts';
import { describeInBrowser } from '../in-browser.ts';
import { openViewer } from './reader.ts';

const BLOCKS = [
  { id: 'tb_kept', sub_type: 'MESSAGE', payload: { role: 'user', content: 'kept' } },
  { id: 'tb_lost', sub_type: 'MESSAGE', payload: { role: 'assistant', content: 'lost' } },
  { id: 'tb_thought', sub_type: 'THINK', parent_block_id: 'tb_lost', payload: { text: 'orphan thought' } },
  { id: 'tb_call', sub_type: 'TOOL_CALL', parent_block_id: 'tb_lost', payload: { name: 'orphan_call', arguments: {} } },
  { id: 'tb_of_call', sub_type: 'TOOL_RESULT', parent_block_id: 'tb_call', payload: { output: 'of the orphan call' } },
  {
    id: 'tb_lost_call',
    sub_type: 'TOOL_CALL',
    parent_block_id: 'tb_kept',
    payload: { name: 'lost_call', arguments: {} },
  },
  {
    id: 'tb_result',
    sub_type: 'TOOL_RESULT',
    parent_block_id: 'tb_lost_call',
    payload: { output: 'orphan result' },
    extra: { reward: 0.25 },
  },
];

async function fill(store: TraceStore): Promise<void> {
  await store.createTrace('default', { id: 'tr_orphans', run: 'damaged' });
  await store.append('default', 'tr_orphans', { body: { blocks: BLOCKS }, limits: readTraceLimits({}) });
}

/** Opens a filled database whose rows can be changed. */
async function openDamaged(statement: string) {
  const filled = await openFilled(fill);
  const triggers = filled.database.prepare(`SELECT name FROM sqlite_master WHERE type = 'trigger'`).all();
  for (const trigger of triggers) filled.database.exec(`DROP TRIGGER ${Object.values(trigger as object)[0]}`);
  filled.database.exec(`PRAGMA foreign_keys = OFF; ${statement}`);
  return filled;
}

describeUnless(sqliteMissing)('with SQLite', () => {
  describeInBrowser('orphans')('a trace whose data was damaged', () => {
    test('lists all orphan blocks in a separate section', async () => {
      await using filled = await openDamaged(`DELETE FROM block_rows WHERE id IN ('tb_lost', 'tb_lost_call')`);
      await using store = await openSqliteStore({ path: filled.path });
      await using server = await serveTraces({ store, port: 0 });
      await using reader = await openViewer(server.url, '?view=trace&trace=tr_orphans');
      await reader.until(`document.querySelectorAll('.tr-inner').length === 5`);

      const rows = await reader.evaluate<string[]>(
        `[...document.querySelectorAll('.tr-row')].map((row) => row.dataset.block ?? row.querySelector('.tr-orphans').innerText)`,
      );

      expect(rows[0]).toBe('tb_kept');
      expect(rows[1]).toMatch(/^Orphans \(3\) – blocks whose parent is missing/);
      expect(rows.slice(2).toSorted()).toEqual(['tb_call', 'tb_of_call', 'tb_result', 'tb_thought']);
      expect(rows.indexOf('tb_of_call')).toBe(rows.indexOf('tb_call') + 1);
      expect(await reader.text('.tr-scroll')).toContain('of the orphan call');
      expect(reader.console).toEqual([]);
    });

    test('shows the other payloads if one cannot be rendered', async () => {
      await using filled = await openDamaged(
        `UPDATE block_rows SET payload = '{"role": "assistant", "content": 5}' WHERE id = 'tb_lost'`,
      );
      await using store = await openSqliteStore({ path: filled.path });
      await using server = await serveTraces({ store, port: 0 });
      await using reader = await openViewer(server.url, '?view=trace&trace=tr_orphans');
      await reader.until(`document.querySelectorAll('.tr-inner').length === 7`);

      const shown = await reader.text('.tr-scroll');

      expect(shown).toContain('This payload cannot be shown');
      expect(shown).toContain('{"role":"assistant","content":5}');
      for (const other of ['kept', 'orphan thought', 'orphan result']) expect(shown).toContain(other);
    });
  });
});
