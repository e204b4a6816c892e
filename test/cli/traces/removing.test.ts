import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { parseAge } from '../../../src/cli/commands/traces-prune.ts';
import { ORS, startCommand } from '../../support/command.ts';
import { describeUnless, testUnless } from '../../support/optional.ts';
import { addRewards, behindServer, PLACES, type Stage } from './stage.ts';

const idsOf = async ({ store }: Stage) =>
  (await store.traces('default', { limit: 99, order: 'asc' })).items.map(({ id }) => id);

for (const { place, open, missing } of PLACES) {
  describeUnless(missing)(`traces ${place}`, () => {
    test('are deleted after confirmation, all or none', async () => {
      await using stage = await open();
      await addRewards(stage, [1, 2, 3]);

      const unasked = await stage.traces('delete', '0', '1');
      const oneUnknown = await stage.traces('delete', '0', 'nope', '--yes');
      const before = await idsOf(stage);
      const done = await stage.traces('delete', 'tr_0', '1', '0', '--yes');

      expect(unasked).toMatchObject({
        code: 1,
        stderr:
          "ors: cannot ask 'Delete 2 traces of default? This cannot be undone.' without a terminal; confirm with --yes\n",
      });
      expect(oneUnknown).toMatchObject({ code: 1, stdout: '' });
      expect(before).toEqual(['tr_0', 'tr_1', 'tr_2']);
      expect(done).toEqual({ code: 0, stdout: 'deleted tr_0\ndeleted tr_1\n', stderr: '' });
      expect(await idsOf(stage)).toEqual(['tr_2']);
    });

    test('are tagged and deleted by a query', async () => {
      await using stage = await open();
      await addRewards(stage, [1, 2, 3, null]);
      const query = ['--query', 'reward:>=2'];

      const tagged = await stage.traces('tag', ...query, '--add', 'kept', '--add', 'late');
      const untagged = await stage.traces('tag', '2', '--remove', 'late');
      const { items } = await stage.store.traces('default', { limit: 9, order: 'asc' });
      const unasked = await stage.traces('delete', ...query);
      const done = await stage.traces('delete', ...query, '--yes');
      const again = await stage.traces('delete', ...query, '--yes');

      expect([tagged.stdout, untagged.stdout]).toEqual(['changed 2 of 2 traces\n', 'changed 1 of 1 trace\n']);
      expect(items.map(({ tags }) => tags)).toEqual([[], ['kept', 'late'], ['kept'], []]);
      expect(unasked.stderr).toContain("cannot ask 'Delete 2 traces of default?");
      expect([done.stdout, again.stdout]).toEqual(['deleted 2 traces\n', 'no trace matches\n']);
      expect(await idsOf(stage)).toEqual(['tr_0', 'tr_3']);
    });

    test('are deleted by their run, with those that continue them', async () => {
      await using stage = await open();
      await addRewards(stage, [1]);
      await stage.store.createTrace('default', { id: 'tr_b', run: 'rewards', parent_trace_id: 'tr_0' });

      const { stdout } = await stage.traces('delete', '--run', 'rewards', '--yes');

      expect(stdout).toBe('deleted 2 traces\n');
      expect(await idsOf(stage)).toEqual([]);
    });

    test('are pruned by the time of their last change', async () => {
      await using stage = await open();
      const { store } = stage;
      const longAgo = Date.UTC(2020, 0);
      for (const id of ['tr_old', 'tr_changed']) await store.createTrace('default', { id, run: 'a' }, longAgo);
      await store.createTrace('default', { id: 'tr_other', run: 'b' }, longAgo);
      await store.updateTrace('default', 'tr_changed', { name: 'changed now' });
      await store.createTrace('default', { id: 'tr_new', run: 'a' });

      const unasked = await stage.traces('prune', '--older-than', '30d');
      const dry = await stage.traces('prune', '--older-than', '30d', '--dry-run');
      const before = await idsOf(stage);
      const done = await stage.traces('prune', '--older-than', '30d', '--run', 'a', '--yes');
      const again = await stage.traces('prune', '--older-than', '30d', '--run', 'a', '--yes');

      expect(unasked).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^ors: cannot ask 'Delete 2 traces of default \(0 blocks, 0 B\), unch/),
      });
      expect([dry.stdout.split('\n').sort(), dry.stderr]).toEqual([
        ['', 'tr_old', 'tr_other'],
        '2 traces of default (0 blocks, 0 B) would be deleted\n',
      ]);
      expect(before).toHaveLength(4);
      expect([done.stdout, again.stdout]).toEqual(['deleted 1 trace\n', 'no trace is that old\n']);
      expect((await idsOf(stage)).sort()).toEqual(['tr_changed', 'tr_new', 'tr_other']);
    });
  });
}

test.each([
  ['30d', 30 * 86_400_000],
  ['12h', 12 * 3_600_000],
  ['45m', 45 * 60_000],
  ['90s', 90_000],
  ['2w', 14 * 86_400_000],
  ['0.5h', 1_800_000],
])('the age %s is %d ms', (text, ms) => {
  expect(parseAge(text)).toBe(ms);
});

test.each(['', '30', 'd', '-1d', '0d', '1y', '1 d', '1e3d'])('rejects the age %j', (text) => {
  expect(() => parseAge(text)).toThrow('Expected a time such as 30d');
});

const hasScript = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') === true;
const noScript = hasScript ? undefined : 'questions on a terminal need `script` of util-linux; install it';

testUnless(noScript)('on a terminal it is asked for, and only yes deletes', async () => {
  await using stage = await behindServer();
  await addRewards(stage, [1]);
  const answer = async (text: string) => {
    const line = [...ORS, 'traces', 'delete', '0', ...stage.flags].map((word) => `'${word}'`).join(' ');
    await using command = startCommand(['script', '-qec', `exec ${line}`, '/dev/null'], { TERM: 'xterm' });
    await command.says(/Delete tr_0 of default\? This cannot be undone\. \[y\/N\] /);
    command.child.stdin?.write(text);
    return (await command.result).code;
  };

  expect(await answer('maybe\n')).toBe(1);
  expect(await answer('\x03')).toBe(130);
  expect(await idsOf(stage)).toEqual(['tr_0']);
  expect(await answer('y\n')).toBe(0);
  expect(await idsOf(stage)).toEqual([]);
});
