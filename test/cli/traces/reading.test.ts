import { describe, expect, test } from '@jest/globals';
import { orsInProcess } from '../../support/command-in-process.ts';
import { describeUnless } from '../../support/optional.ts';
import { traceValidator } from '../../support/validators.ts';

import { addConversation, addRewards, KNOWN, message, PLACES } from './stage.ts';

for (const { place, open, missing } of PLACES) {
  describeUnless(missing)(`traces ${place}`, () => {
    test('are listed as a table, newest first', async () => {
      await using stage = await open();
      await addRewards(stage, [0.5]);
      await addConversation(stage);

      const { code, stdout, stderr } = await stage.traces('ls');
      const [titles, ...rows] = stdout.split('\n').map((line) => line.split(/ {2,}/));

      expect([code, stderr]).toEqual([0, '']);
      expect(titles?.slice(0, 5)).toEqual(['TRACE', 'STATUS', 'REWARD', 'BLOCKS', 'ERRORS']);
      expect(rows[0]).toEqual([
        KNOWN,
        'finished',
        '1',
        '9',
        '1',
        expect.stringMatching(/^20/),
        'weather',
        'test',
        'first-run',
        '1',
        'some-model',
      ]);
      expect(rows[1]?.slice(0, 5)).toEqual(['tr_0', 'running', '0.5', '1', '0']);
    });

    test('are filtered, ordered and limited', async () => {
      await using stage = await open();
      await addRewards(stage, [0.5, null, -1]);
      await addConversation(stage);
      const ids = async (...args: string[]) =>
        (await stage.traces('ls', '--json', ...args)).stdout
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line).id);

      expect(await ids('--run', 'rewards', '--sort', 'reward')).toEqual(['tr_0', 'tr_2', 'tr_1']);
      expect(await ids('--sort', 'reward', '--order', 'asc', '--limit', '1')).toEqual(['tr_2']);
      expect(await ids('--has-error')).toEqual([KNOWN]);
      expect(await ids('--status', 'running', '--step', '1')).toEqual(['tr_1']);
      expect(await ids('--model', 'some-model', '--tag', 'good', '--split', 'test')).toEqual([KNOWN]);
      expect(await ids('--search', 'A NAME', '--environment', 'weather')).toEqual([KNOWN]);
      expect(await ids('--group', 'group-1')).toEqual(['tr_2']);
    });

    test('are listed without those that continue another one, unless asked for', async () => {
      await using stage = await open();
      await addRewards(stage, [1]);
      const { store } = stage;
      await store.createTrace('default', { id: 'tr_b1', run: 'rewards', parent_trace_id: 'tr_0', parent_calls: 2 }, 1);
      await store.createTrace('default', { id: 'tr_b2', run: 'rewards', parent_trace_id: 'tr_b1', parent_calls: 0 }, 2);
      const rows = async (...args: string[]) => {
        const { stdout } = await stage.traces('ls', '--order', 'asc', ...args);
        return stdout.trimEnd().split('\n').slice(1);
      };
      const ids = async (...args: string[]) => (await rows(...args)).map((row) => row.split(' ')[0]);

      expect(await ids()).toEqual(['tr_0']);
      expect(await ids('--branches')).toEqual(['tr_b1', 'tr_b2', 'tr_0']);
      expect(await ids('--parent', '0')).toEqual(['tr_b1']);
      expect(await ids('--query', 'parent:b1')).toEqual(['tr_b2']);
      expect((await rows('--branches')).map((row) => row.split(/ {2,}/).at(-1))).toEqual([
        'tr_0 after call 2',
        'tr_b1 from its start',
        '-',
      ]);
      expect((await stage.traces('show', 'b1')).stdout).toContain('continues tr_0 after call 2');
      expect((await stage.traces('stats', 'rewards')).stdout).toContain('1 trace:');
    });

    test('are listed with a note if there are more of them, or none', async () => {
      await using stage = await open();

      const nothing = await stage.traces('ls');
      await addRewards(stage, [1, 1, 1]);
      const some = await stage.traces('ls', '--limit', '2');

      expect(nothing).toEqual({ code: 0, stdout: 'no traces\n', stderr: '' });
      expect(some.stdout.trimEnd().split('\n')).toHaveLength(4);
      expect(some.stdout).toMatch(/\nfirst 2; for more, pass --limit <number>\n$/);
    });

    test('are shown as a tree, with assembled results and notes on missing pieces', async () => {
      await using stage = await open();
      await addConversation(stage);

      const { code, stdout, stderr } = await stage.traces('show', KNOWN.slice('tr_'.length));

      expect([code, stderr]).toEqual([0, '']);
      expect(stdout.replace(/created .*/, '')).toBe(`${KNOWN}
a name  environment weather  split test  task 3  run first-run  step 1  model some-model  tags good
finished  reward 1  9 blocks  1 failed call  

user
  what's the weather?

assistant
  Let me look.
  thought: ask the service
  get_weather  tb_3
    {"city":"Bogotá"}
    → 22 cloudy
    reward 1
    1 piece is missing: seq 1
    the last piece is missing
  guess  tb_4
    {"city":"Bogotá"}
    failed: no such tool
  sleep  tb_5
    {"city":"Bogotá"}
    no result yet
`);
    });

    test('are shown as JSON that fits the schema, with assembled results', async () => {
      await using stage = await open();
      await addConversation(stage);

      const { stdout } = await stage.traces('show', KNOWN, '--json');
      const trace = JSON.parse(stdout);

      expect(traceValidator('StitchedTrace')(trace) || traceValidator('StitchedTrace').errors).toBe(true);
      expect(trace.messages[1].tool_calls.map(({ assembled }: { assembled: object }) => assembled)).toEqual([
        { state: 'partial', value: '22 cloudy', gaps: [1] },
        { state: 'complete', value: { ok: false, error: 'no such tool' }, gaps: [] },
        { state: 'pending', value: null, gaps: [] },
      ]);
    });

    test('are shown in full if they have many pages', async () => {
      await using stage = await open();
      await stage.store.createTrace('default', { id: 'tr_long' });
      for (let page = 0; page < 3; page++) {
        const ids = Array.from({ length: 700 }, (_, at) => page * 700 + at);
        await stage.append('tr_long', ...ids.map((id) => message(`tb_${id}`, `message ${id}`)));
      }

      const text = await stage.traces('show', 'long');
      const json = await stage.traces('show', 'long', '--json');

      expect(text.stdout.match(/message \d+/g)).toEqual(Array.from({ length: 2100 }, (_, id) => `message ${id}`));
      expect(JSON.parse(json.stdout).messages).toHaveLength(2100);
    });

    test('are printed without control characters', async () => {
      await using stage = await open();
      await stage.store.createTrace('default', { id: 'tr_evil', run: 'a\x1b[31mb', name: 'c\x1b]0;d\x07' });
      await stage.append('tr_evil', message('tb_1', 'e\x1b[2Jf\x9bg\u202e'));

      const outputs = [
        await stage.traces('show', 'evil'),
        await stage.traces('show', 'evil', '--json'),
        await stage.traces('ls'),
        await stage.traces('ls', '--json'),
        await stage.traces('stats'),
        await stage.traces('stats', 'a\x1b[31mb'),
      ].map(({ code, stdout }) => [code, stdout.match(/[^\P{Cc}\n]|\u202e/gu)]);

      expect(outputs).toEqual(outputs.map(() => [0, null]));
    });

    test('have their rewards summarized by run, step and group', async () => {
      await using stage = await open();
      await addRewards(stage, [0, 1, 1, 1, null, 1]);

      const list = await stage.traces('stats');
      const { code, stdout } = await stage.traces('stats', 'rewards', '--bins', '2');
      const json = JSON.parse((await stage.traces('stats', 'rewards', '--json')).stdout);

      expect(list.stdout).toMatch(/\n +6 +6 +0 +0\.8 +0\.4 +0 +1 +1 .* rewards\n$/);
      expect(code).toBe(0);
      expect(stdout).toBe(`rewards
6 traces: 6 running; 0 with failed calls
reward mean 0.8, std 0.4, min 0, max 1; 1 trace without reward

0 to 0.5  1  ████████
0.5 to 1  4  ██████████████████████████████

STEP  TRACES  MEAN  STD  MIN  MAX  NO REWARD
   0       3   0.5  0.5    0    1          1
   1       3     1    0    1    1          0

1 of 2 groups with two rewards or more have no variance (50 %): all rewards are equal there
`);
      expect(json).toMatchObject({ run: { trace_count: 6 }, groups: { compared: 2, without_variance: 1 } });
    });

    test('that do not exist are reported, with what to do', async () => {
      await using stage = await open();
      await addConversation(stage);
      await stage.store.createTrace('default', { id: 'tr_gone' });
      await stage.store.deleteTrace('default', 'tr_gone');

      const told = async (...args: string[]) => {
        const { code, stderr } = await stage.traces(...args);
        return [code, stderr];
      };

      expect(await told('show', 'nope')).toEqual([
        1,
        'ors: there is no trace tr_nope in this organization; ors traces ls lists the traces; --org selects another organization\n',
      ]);
      expect(await told('show', KNOWN, '--org', 'other')).toEqual([1, expect.stringContaining('there is no trace')]);
      expect(await told('show', 'gone')).toEqual([1, expect.stringContaining('was deleted')]);
      expect(await told('show', 'a b')).toEqual([1, expect.stringContaining("invalid trace id 'a b'")]);
      expect(await told('stats', 'nope')).toEqual([1, expect.stringContaining('there is no run "nope"')]);
      expect(await told('ls', '--org', '../x')).toEqual([1, expect.stringContaining("invalid --org '../x'")]);
    });
  });
}

describe('ors traces', () => {
  test('reports a failure as JSON with --json', async () => {
    const { code, stdout, stderr } = await orsInProcess([
      'traces',
      'show',
      'x',
      '--json',
      '--url',
      'http://127.0.0.1:2',
    ]);

    expect([code, stdout]).toEqual([1, '']);
    expect(JSON.parse(stderr).error.message).toMatch(/^no response to GET http.*; check the address, and that the/);
  });

  test.each([
    [['ls'], {}, /^ors: there is no traces\.db here; pass the store with --db <file>, or its server with --url /],
    [['ls', '--db', 'nowhere.db'], {}, /^ors: there is no file nowhere\.db; pass the store with --db <file>/],
    [
      ['ls', '--db', 'a', '--url', 'http://127.0.0.1'],
      {},
      /^ors: --db a and --url http:\/\/127\.0\.0\.1 are two stores/,
    ],
    [['ls'], { ORS_TRACES_DB: 'a', ORS_TRACES_URL: 'http://127.0.0.1' }, /^ors: ORS_TRACES_DB and ORS_TRACES_URL are/],
    [['ls', '--url', 'nonsense'], {}, /^ors: invalid URL 'nonsense'/],
    [['ls', '--url', 'http://me:secret@host'], {}, /^ors: the URL of host contains a user name or password/],
    [
      ['ls', '--url', 'http://127.0.0.1:2'],
      { ORS_TRACES_API_KEY: 'top\nsecret' },
      /^ors: invalid API key: it has characters/,
    ],
    [['keys', 'list', '--url', 'http://127.0.0.1'], {}, /^ors: --url: ors traces keys needs the file of the store/],
    [['verify', '--url', 'http://127.0.0.1'], {}, /^ors: --url: ors traces verify needs the file of the store/],
    [['ls', '--csv', '--json'], {}, /^error: option '--csv' cannot be used with option '--json'/],
    [['ls', '--status', 'odd'], {}, /^error: option '--status <status>' argument 'odd' is invalid/],
    [['frobnicate'], {}, /^error: unknown command 'frobnicate'\n.*run ors traces --help for usage/s],
  ])('%j reports the mistake', async (args, env, says) => {
    const { code, stdout, stderr } = await orsInProcess(['traces', ...args], { env });

    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(says);
    expect(stderr).not.toContain('secret');
  });
});
