import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { openFileSpool } from '../../../src/trace/client/file-spool.ts';
import { createJob } from '../../../src/trace/client/jobs.ts';
import { until, withDeadline } from '../../support/until.ts';
import { connect, startStore } from './store-and-proxy.ts';

async function makeFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'ors-kit-spool-'));
  return {
    spool: join(folder, 'spool'),
    async [Symbol.asyncDispose]() {
      await rm(folder, { recursive: true });
    },
  };
}

const program = fileURLToPath(new URL('./spool-logger.mjs', import.meta.url));

/** Starts a program that logs until it is killed. */
function startLogger(url: string, spool: string, traceId: string) {
  const child: ChildProcess = spawn(process.execPath, [program, url, spool, traceId], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  return {
    async kill() {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null)
        await withDeadline(once(child, 'exit'), 'the end of the logger');
    },
    async [Symbol.asyncDispose]() {
      await this.kill();
    },
  };
}

/** Returns the ids of blocks in complete lines of a spool that are not removed. */
async function spooled(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const keys = new Set<string>();
  for (const line of text.split('\n').slice(0, -1)) {
    const value = JSON.parse(line) as { key?: string; kind?: string; done?: string[] };
    if (value.kind === 'block') keys.add(value.key ?? '');
    for (const key of value.done ?? []) keys.delete(key);
  }
  return [...keys];
}

describe('a spool', () => {
  it('keeps everything that was logged without a store after kill -9', async () => {
    await using store = await startStore();
    await using folder = await makeFolder();
    await store.stop();

    await using logger = startLogger(store.url, folder.spool, 'tr_killed');
    await until(async () => (await spooled(folder.spool)).length >= 100, '100 blocks in the spool');
    await logger.kill();
    const ids = await spooled(folder.spool);
    await store.start();
    await using traces = connect(store.url, { spool: folder.spool });
    const { acknowledged, failed } = await traces.flush();

    expect({ acknowledged, failed }).toEqual({ acknowledged: ids.length, failed: [] });
    const blocks = await store.blocks('tr_killed');
    expect(blocks.map(({ id }) => id)).toEqual(ids);
    expect(blocks.map(({ payload }) => payload.content)).toEqual(ids.map((_, index) => `message ${index}`));
  });

  it('loses and repeats nothing over three kills while the store works', async () => {
    await using store = await startStore();
    await using folder = await makeFolder();

    for (let life = 0; life < 3; life++) {
      const id = `tr_life${life}`;
      await using logger = startLogger(store.url, folder.spool, id);
      const enough = 30 * (life + 1);
      await until(async () => (await store.blocks(id).catch(() => [])).length >= enough, `${enough} stored blocks`);
      await logger.kill();
      const left = await spooled(folder.spool);
      await using traces = connect(store.url, { spool: folder.spool });
      await traces.close();

      const blocks = await store.blocks(id);
      const stored = blocks.map((block) => block.id);
      expect(stored).toEqual(expect.arrayContaining(left));
      expect(new Set(stored).size).toBe(stored.length);
      expect(blocks.map(({ payload }) => payload.content)).toEqual(stored.map((_, index) => `message ${index}`));
    }
    expect((await stat(folder.spool)).size).toBe(0);
  });

  it('drops an incomplete last line', async () => {
    await using store = await startStore();
    await using folder = await makeFolder();
    const line = (key: string, text: object) =>
      JSON.stringify({
        kind: 'block',
        trace_id: 'tr_torn',
        key,
        text: JSON.stringify({ id: key, ...text }),
        blobs: [],
      });
    const message = { sub_type: 'MESSAGE', payload: { role: 'user', content: 'whole' } };
    await writeFile(folder.spool, `${line('tb_done', message)}\n{"done":["tb_done"]}\n${line('tb_whole', message)}\n`);
    await appendFile(folder.spool, line('tb_torn', message).slice(0, -10));
    await using others = connect(store.url);
    await others.createTrace({ id: 'tr_torn' });

    await using traces = connect(store.url, { spool: folder.spool });
    const later = traces.trace('tr_torn').logMessage({ role: 'user', content: 'later' });
    const { acknowledged } = await traces.flush();

    expect(acknowledged).toBe(2);
    expect((await store.blocks('tr_torn')).map(({ id }) => id)).toEqual(['tb_whole', later.id]);
    expect(traces.reported).toEqual([]);
  });

  it('writes nothing after a torn last line', async () => {
    await using folder = await makeFolder();
    const job = (key: string) => createJob('block', 'tr_torn', { key, content: { text: '{}', blobs: [] }, size: 2 });
    const first = await openFileSpool(folder.spool, () => {});
    await first.add(job('tb_a'));
    await first.close();
    await appendFile(folder.spool, '{"kind":"block"');

    const second = await openFileSpool(folder.spool, () => {});
    await second.add(job('tb_b'));
    await second.close();
    const third = await openFileSpool(folder.spool, () => {});

    expect(third.pending.map(({ key }) => key)).toEqual(['tb_a', 'tb_b']);
    await third.close();
  });

  it('keeps images and long texts', async () => {
    await using store = await startStore();
    await using folder = await makeFolder();
    await store.stop();
    const long = 'ä'.repeat(100_000);
    const first = connect(store.url, { spool: folder.spool, retryTimeoutMs: 100 });
    const trace = first.createTrace();
    const { id } = trace.logMessage({ role: 'user', content: long });

    const { failed } = await first.close();
    await store.start();
    await using second = connect(store.url, { spool: folder.spool });
    await second.flush();

    expect(failed.map((each) => each.id)).toEqual([trace.id, id]);
    expect((await second.readTrace(trace.id)).messages[0]?.payload.content).toBe(long);
  });

  it('removes blocks that the store rejects permanently, and keeps those that another key could write', async () => {
    await using store = await startStore({ needsKeys: true });
    await using folder = await makeFolder();
    const wrong = connect(store.url, { spool: folder.spool, apiKey: 'ork_wrong' });
    wrong.createTrace().logMessage({ role: 'user', content: 'kept' });
    await wrong.close();
    await using free = await startStore();
    const right = connect(free.url, { spool: folder.spool });
    const bad = right.createTrace().logMessage({ role: 'user', content: '' });

    const { acknowledged, failed } = await right.close();

    expect({ acknowledged, failed }).toMatchObject({ acknowledged: 1, failed: [{ id: bad.id }] });
    expect((await stat(folder.spool)).size).toBe(0);
  });

  it.each([
    [
      'that another client uses',
      async (path: string) => connect('http://127.0.0.1:9', { spool: path, retryTimeoutMs: 1 }),
    ],
    ['that is another file', async (path: string) => void (await writeFile(path, 'precious\n'))],
    ['in a folder that is not there', async (path: string) => path],
  ])('reports %s, and delivers everything without it', async (name, prepare) => {
    await using store = await startStore();
    await using folder = await makeFolder();
    const other = await prepare(folder.spool);
    if (typeof other === 'object') await other.flush();

    const path = name.includes('folder') ? `${folder.spool}/none/spool` : folder.spool;
    await using traces = connect(store.url, { spool: path });
    const trace = traces.createTrace();
    trace.logMessage({ role: 'user', content: 'x' });
    const { acknowledged } = await traces.flush();

    expect(acknowledged).toBe(1);
    expect(traces.reported).toMatchObject([{ id: path, error: { code: 'SPOOL' } }]);
    if (name.includes('another file')) expect(await readFile(path, 'utf8')).toBe('precious\n');
    if (typeof other === 'object') await other.close();
  });

  it('does not grow with delivered blocks', async () => {
    await using store = await startStore();
    await using folder = await makeFolder();
    await using traces = connect(store.url, { spool: folder.spool });
    const trace = traces.createTrace();
    const sizes: number[] = [];

    for (let index = 0; index < 40; index++) {
      for (let each = 0; each < 10; each++) trace.logMessage({ role: 'user', content: 'x'.repeat(60_000) });
      await traces.flush();
      // One block is always pending, so that the file is never empty.
      trace.logMessage({ role: 'user', content: 'y' });
      sizes.push((await stat(folder.spool)).size);
    }

    expect(Math.max(...sizes)).toBeLessThan(20 * 1024 * 1024);
  });
});
