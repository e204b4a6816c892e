import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parquetReadObjects } from 'hyparquet';
import { behindServer, message } from './stage.ts';

test('scores a trace and a run, lists the scores and deletes one', async () => {
  await using stage = await behindServer();
  await stage.store.createTrace('default', { id: 'tr_1', run: 'r' });

  const one = await stage.traces('score', '1', '--name', 'quality', '--value', '0.5', '--author', 'ada', '--json');
  const two = await stage.traces('score', '--run', 'r', '--name', 'verdict', '--label', 'good', '--comment', 'so far');

  const { id } = JSON.parse(one.stdout);
  expect(JSON.parse(one.stdout)).toMatchObject({ trace_id: 'tr_1', value: 0.5, author: 'ada', source: 'human' });
  expect(two.stdout).toMatch(/^scored r as sc_\w+\n$/);
  const listed = await stage.traces('scores', '--run', 'r', '--csv');
  expect(listed.stdout.split('\r\n').map((line) => line.split(',').slice(1, 8).join())).toEqual([
    'trace_id,block_id,run,name,value,label,comment',
    'tr_1,,,quality,0.5,,',
    ',,r,verdict,,good,so far',
    '',
  ]);
  expect((await stage.traces('scores', '--delete', id)).stdout).toBe(`deleted ${id}\n`);
  expect((await stage.traces('scores', '--trace', '1')).stdout).toBe('no scores\n');
});

test.each([
  [['score', '--name', 'quality', '--value', '1'], 'pass either a trace id or --run <name>'],
  [['score', '1', '--run', 'r', '--name', 'quality', '--value', '1'], 'pass either a trace id or --run <name>'],
  [['score', '1', '--name', 'quality'], 'pass at least one of --value, --label and --comment'],
  [['export', '--run', 'r', '--where', 'nothing=1'], 'invalid --where: expected one of the fields id, name, run'],
  [['export', '1', '--model', 'a'], 'pass either trace ids or --run and other filters, not both'],
  [['ls', '--sort', 'score'], 'Expected created, reward, length or score:<name>.'],
])('rejects ors traces %j', async (args, message) => {
  await using stage = await behindServer();

  const { code, stderr } = await stage.traces(...args);

  expect(code).toBe(1);
  expect(stderr).toContain(message);
});

test('exports the best traces of each group that match', async () => {
  await using stage = await behindServer();
  for (const [index, reward] of [1, 3, 2, 5].entries()) {
    const id = `tr_${index}`;
    const input = { id, run: 'r', task_index: index >> 1, model: index === 3 ? 'b' : 'a' };
    await stage.store.createTrace('default', input, 1_700_000_000_000 + index);
    await stage.append(id, { ...message(`tb_${index}`, 'hello'), extra: { reward } });
  }
  const chosen = async (...args: string[]) =>
    (await stage.traces('export', '--format', 'csv', ...args)).stdout
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(',')[0]);

  expect(await chosen('--run', 'r', '--best', '1')).toEqual(['tr_1', 'tr_2', 'tr_3']);
  expect(await chosen('--run', 'r', '--best', '1', '--per', 'task')).toEqual(['tr_1', 'tr_3']);
  expect(await chosen('--model', 'a', '--where', 'reward>=2', '--where', 'reward<3')).toEqual(['tr_2']);
  const file = join(stage.folder, 'r.parquet');
  await stage.traces('export', '--run', 'r', '--format', 'parquet', '--out', file);
  const bytes = await readFile(file);
  const rows = await parquetReadObjects({ file: new Uint8Array(bytes).buffer });
  expect(rows.map(({ id, reward_sum }) => [id, reward_sum])).toEqual([
    ['tr_0', 1],
    ['tr_1', 3],
    ['tr_2', 2],
    ['tr_3', 5],
  ]);
});
