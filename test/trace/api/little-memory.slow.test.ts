import { join } from 'node:path';
import { expect } from '@jest/globals';
import { readTraceLimits } from '../../../src/trace/model/index.ts';
import { openSqliteStore } from '../../../src/trace/store/index.ts';
import { ORS, startCommand } from '../../support/command.ts';
import { testUnless } from '../../support/optional.ts';
import { call, message, result, TRACE } from '../model/store.ts';
import { newFolder, sqliteMissing } from '../store/stores.ts';

const MEGABYTE = 1024 * 1024;
/** Size of the trace: one message with results of 1 MB each. test/soak/ has larger traces, and all formats. */
const MEGABYTES = 40;
/** Heap of the server, for its code and a response. */
const HEAP_MEGABYTES = 40;

async function fill(path: string): Promise<void> {
  await using store = await openSqliteStore({ path });
  const append = (blocks: unknown[]) =>
    store.append('default', TRACE, { body: { blocks }, limits: readTraceLimits({}) });
  await store.createTrace('default', { id: TRACE });
  await append([message({ id: 'tb_m', payload: { role: 'assistant', content: 'look' } })]);
  const output = 'a line of it, and "quotes"\n'.repeat(MEGABYTE).slice(0, MEGABYTE - 100);
  for (let turn = 0; turn < MEGABYTES; turn++) {
    const call_id = `c${turn}`;
    await append([
      call({ id: `tb_c${turn}`, parent_block_id: 'tb_m', payload: { call_id, name: 'look', arguments: {} } }),
      result({ parent_block_id: `tb_c${turn}`, payload: { call_id, output } }),
    ]);
  }
}

testUnless(sqliteMissing)(
  `a server whose heap is ${HEAP_MEGABYTES} MB answers with ${MEGABYTES} MB of results of one message`,
  async () => {
    await using folder = await newFolder();
    const path = join(folder.path, 'traces.db');
    await fill(path);
    const options = { NODE_OPTIONS: `--max-old-space-size=${HEAP_MEGABYTES}` };
    await using server = startCommand([...ORS, 'traces', 'serve', '--db', path, '--port', '0'], options);
    const [, url] = await server.says(/on (http:\S+);/);

    const megabytes = [];
    for (const requested of ['export?format=openai', 'blocks.stitched?assemble=true']) {
      const { status, body } = await fetch(`${url}/v1/organizations/default/traces/${TRACE}/${requested}`);
      expect(status).toBe(200);
      let bytes = 0;
      for await (const chunk of body ?? []) bytes += chunk.length;
      megabytes.push(bytes / MEGABYTE);
    }

    expect(Math.min(...megabytes)).toBeGreaterThan(MEGABYTES - 1);
    expect(megabytes[1]).toBeGreaterThan(2 * (MEGABYTES - 1));
  },
);
