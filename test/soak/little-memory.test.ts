import { join } from 'node:path';
import { expect } from '@jest/globals';
import { exportFormats, type FormatName } from '../../src/trace/formats/index.ts';
import { readTraceLimits } from '../../src/trace/model/index.ts';
import { openSqliteStore } from '../../src/trace/store/index.ts';
import { testUnless } from '../support/optional.ts';
import { start } from '../torture/program.ts';
import { call, message, result, TRACE } from '../trace/model/store.ts';
import { newFolder, sqliteMissing } from '../trace/store/stores.ts';

const MEGABYTE = 1024 * 1024;
/** Size of the trace, in results of one megabyte each. */
const MEGABYTES = 120;
/** Heap limit of the server, including its code, the loaded data and a response. */
const HEAP_MEGABYTES = 64;

/** @param messages number of messages, among which the calls are divided evenly. */
async function fill(path: string, messages: number): Promise<void> {
  await using store = await openSqliteStore({ path });
  await store.createTrace('default', { id: TRACE });
  const output = 'a line of it, and "quotes"\n'.repeat(MEGABYTE).slice(0, MEGABYTE - 100);
  for (let turn = 0; turn < MEGABYTES; turn++) {
    const [said, called, call_id] = [`tb_m${turn % messages}`, `tb_c${turn}`, `c${turn}`];
    const blocks = [
      ...(turn < messages ? [message({ id: said, payload: { role: 'assistant', content: 'look' } })] : []),
      call({ id: called, parent_block_id: said, payload: { call_id, name: 'look', arguments: {} } }),
      result({ parent_block_id: called, payload: { call_id, output } }),
    ];
    await store.append('default', TRACE, { body: { blocks }, limits: readTraceLimits({}) });
  }
}

/** Counts the bytes of a response without keeping them in memory. */
async function weigh(url: string, path: string): Promise<number> {
  const { status, body } = await fetch(`${url}/v1/organizations/default/traces/${TRACE}/${path}`);
  expect(status).toBe(200);
  let bytes = 0;
  for await (const chunk of body ?? []) bytes += chunk.length;
  return bytes;
}

const startSmall = (path: string) =>
  start('serve.ts', [path], ['env', `NODE_OPTIONS=--max-old-space-size=${HEAP_MEGABYTES}`]);

/** Number of times that an export contains each result. */
const TIMES: Readonly<Record<FormatName, number>> = { jsonl: 1, openai: 1, sharegpt: 1, atif: 2, 'otlp-json': 2 };

testUnless(sqliteMissing)(
  `${MEGABYTES} MB of results are exported in every format, and returned as a tree, by a server whose heap is ${HEAP_MEGABYTES} MB`,
  async () => {
    await using folder = await newFolder();
    const path = join(folder.path, 'traces.db');
    await fill(path, MEGABYTES);
    await using server = startSmall(path);
    const url = await server.line();

    const found = new Map<string, number>();
    for (const format of Object.keys(exportFormats)) found.set(format, await weigh(url, `export?format=${format}`));
    const tree = await weigh(url, 'blocks.stitched');

    for (const [format, bytes] of found) {
      const times = TIMES[format as FormatName];
      expect(bytes).toBeGreaterThan(times * (MEGABYTES - 1) * MEGABYTE);
    }
    expect(tree).toBeGreaterThan((MEGABYTES - 1) * MEGABYTE);
  },
);

testUnless(sqliteMissing)(
  `a page of a tree that is one message with ${MEGABYTES} MB of results is answered by a server whose heap is ${HEAP_MEGABYTES} MB`,
  async () => {
    await using folder = await newFolder();
    const path = join(folder.path, 'traces.db');
    await fill(path, 1);
    await using server = startSmall(path);
    const url = await server.line();

    const whole = await weigh(url, 'blocks.stitched');
    const assembled = await weigh(url, 'blocks.stitched?assemble=true');

    expect(whole).toBeGreaterThan((MEGABYTES - 1) * MEGABYTE);
    expect(assembled).toBeGreaterThan(2 * (MEGABYTES - 1) * MEGABYTE);
  },
);
