import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test } from '@jest/globals';
import type { TraceWarning } from '../../generated/trace.ts';
import { ownProperty } from '../../src/core/index.ts';
import { allBlocks, closeServers, startServer } from '../trace/api/server.ts';
import { describeWithPython, interpreter, python } from './python.ts';

afterEach(closeServers);

const run = promisify(execFile);
const TURNS = 200;

/** Runs a Python program that knows the API by its environment variable alone. */
async function runWithApi(url: string, program: string, args: readonly string[] = []): Promise<string> {
  const env = { ...process.env, OPENREWARD_API_URL: url, OPENREWARD_API_KEY: 'some-key', PYTHONDONTWRITEBYTECODE: '1' };
  const [command, ...before] = python;
  const { stdout } = await run(command, [...before, program, ...args], { env, timeout: 120_000 });
  return stdout;
}

describeWithPython().each([{}])('the openreward package', () => {
  test('logs to this store unchanged, hundreds of messages in batches, and its command reads them', async () => {
    const { url, get } = await startServer();
    const script = join(import.meta.dirname, 'rollouts_logger.py');

    const ids: string[] = JSON.parse(await runWithApi(url, script, [url, String(TURNS)]));

    for (const [number, id] of ids.entries()) {
      const { json: trace } = await get(`traces/tr_${id}`);
      expect(trace).toMatchObject({
        run: 'python-run',
        name: `rollout ${number}`,
        model: 'some-model',
        metadata: { seed: number },
        rollout_info: { task_index: number, temperature: 0.5 },
        status: 'finished',
        reward_sum: TURNS / 2,
        reward_count: TURNS,
      });
      const blocks = await allBlocks(get, trace.id, 1000);
      const indexes = blocks.map(({ extra }) => ownProperty(extra, 'index'));
      expect(indexes).toEqual(blocks.map((_, index) => index));
      const results = blocks.filter(({ sub_type }) => sub_type === 'TOOL_RESULT');
      expect(results.map(({ payload }) => payload)).toEqual(
        Array.from({ length: TURNS }, (_, turn) => ({ output: `seen ${turn}` })),
      );
      const { json: tree } = await get(`traces/${trace.id}/blocks.stitched?limit=100000`);
      expect(tree.orphans).toEqual({ tool_calls: [], tool_results: [], thinks: [] });
    }
    const orwd = join(dirname(interpreter), 'orwd');
    expect(await runWithApi(url, orwd, ['runs'])).toMatch(/python-run +2 +100\.000/);
    expect(await runWithApi(url, orwd, ['rollouts', 'python-run'])).toMatch(/rollout 1 +countdown +0\.500/);
  });

  test('loses nothing that a script logs, however unusual, and lists it in warnings', async () => {
    const { url, get } = await startServer();
    const script = join(import.meta.dirname, 'odd_rollouts_logger.py');

    const logged = JSON.parse(await runWithApi(url, script, [url]));

    const [first, second] = logged.ids.map((id: string) => `tr_${id}`);
    const textOf = async (path: string) => (await fetch(`${url}/v1/organizations/default/traces/${path}`)).text();
    const { json: trace } = await get(`traces/${first}`);
    expect(trace).toMatchObject({
      task_index: 3,
      step: 12,
      status: 'finished',
      reward_count: 3,
      environment: 'acme/odd',
    });
    expect(trace.reward_sum).toBe(1 + 0.25 + 9007199254740992);
    expect(await textOf(first)).toContain('"task_spec":{"seed":12345678901234567890,"limit":{"$number":"Infinity"}}');
    const paths = trace.warnings.map(({ path }: TraceWarning) => path);
    expect(paths.toSorted()).toEqual([
      ...['/isFinished', '/metadata/big', '/metadata/nan', '/reward', '/reward', '/reward'],
      ...['/task_spec/limit', '/task_spec/seed'],
    ]);
    const blocks = await allBlocks(get, first, 1000);
    expect(blocks.map(({ extra }) => ownProperty(extra, 'index'))).toEqual(blocks.map((_, index) => index));
    expect(await textOf(`${first}/blocks`)).toContain('"reward":9007199254740993');
    const parents = blocks.flatMap(({ sub_type, payload, parent_block_id }) =>
      sub_type === 'TOOL_RESULT'
        ? [[ownProperty(payload, 'output'), blocks.findIndex(({ id }) => id === parent_block_id)]]
        : [],
    );
    expect(parents).toEqual([
      ['one', 1],
      ['two', 2],
    ]);
    for (const { created_at, extra } of blocks) {
      expect(Math.abs(Date.parse(created_at) - Number(ownProperty(extra, 'timestamp')))).toBeLessThanOrEqual(1);
    }
    expect((await get(`traces/${second}`)).json).toMatchObject({ block_count: 1, metadata: { innocent: true } });
    expect(logged.difficulty).toMatchObject([
      { split: 'test', variant: null, task_index: 3, num_rollouts: 1, response_chars: { mean: expect.any(Number) } },
    ]);
    expect(logged.secrets).toEqual([]);
    expect(logged.stderr).toBe('');
  });
});
