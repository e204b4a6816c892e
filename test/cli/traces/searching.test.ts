import { expect, test } from '@jest/globals';
import { describeUnless } from '../../support/optional.ts';
import { addConversation, behindServer, call, KNOWN, message, PLACES, result } from './stage.ts';

for (const { place, open, missing } of PLACES) {
  describeUnless(missing)(`searches traces ${place}`, () => {
    test('by text, tool and fields of the trace', async () => {
      await using stage = await open();
      await addConversation(stage);

      const { code, stdout } = await stage.traces('search', 'error:such', 'model:some');
      const none = await stage.traces('search', 'tool:guess -model:some');
      const ofTraces = await stage.traces('search', 'reward:>0.5', 'tag:=good');
      const json = await stage.traces('search', 'tool:guess kind:call', '--json');

      expect(code).toBe(0);
      expect(stdout).toMatch(
        new RegExp(
          `^${KNOWN}  run first-run  model some-model  task weather test\\[3\\]  finished  reward 1\n {2}tb_\\S+  result guess  failed: no such tool\n$`,
        ),
      );
      expect(none.stdout).toBe('nothing found\n');
      expect(ofTraces.stdout).toMatch(new RegExp(`^${KNOWN}  .*reward 1\n$`));
      expect(JSON.parse(json.stdout)).toMatchObject({ block: { id: 'tb_4' }, tool: 'guess', trace: { id: KNOWN } });
    });
  });
}

/** Four failed results in two traces, and one that did not fail. */
async function openFailures() {
  const stage = await behindServer();
  for (const index of [0, 1]) {
    const id = (name: string) => `tb_${name}${index}`;
    await stage.store.createTrace('default', { id: `tr_${index}`, run: 'r' });
    await stage.append(
      `tr_${index}`,
      message(id('m'), 'go', 'assistant'),
      call(id('a'), id('m'), 'fetch'),
      result(id('a'), { output: { ok: false, error: `timeout after ${index + 3} s` } }),
      call(id('b'), id('m'), 'run'),
      result(id('b'), { output: { ok: false, error: index === 0 ? 'timeout after 9 s' : 'division by zero' } }),
      call(id('c'), id('m'), 'run'),
      result(id('c'), { output: 'timeout is 3 s' }),
    );
  }
  return stage;
}

test('groups failed results by message', async () => {
  await using stage = await openFailures();

  const { stdout } = await stage.traces('search', 'run:r', '--errors');
  const lines = stdout.trimEnd().split('\n');

  expect(lines.map((line) => line.trim().split(/ {2,}/))).toEqual([
    ['RESULTS', 'TRACES', 'TOOL', 'EXAMPLE', 'MESSAGE'],
    ['3', '2', 'fetch and run', 'tr_1', 'timeout after 4 s'],
    ['1', '1', 'run', 'tr_1', 'division by zero'],
    ['2 messages in 4 failed results'],
  ]);
});

test('limits the results, and lists and exports traces by a query', async () => {
  await using stage = await openFailures();

  const limited = await stage.traces('search', 'timeout', '--limit', '2');
  const listed = await stage.traces('ls', '--query', 'errors:2 trace:1', '--json');
  const exported = await stage.traces('export', '--query', 'trace:tr_0', '--format', 'csv');

  expect(limited.stdout).toMatch(/first 2 results; for more, pass --limit <number>\n$/);
  expect(
    listed.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id),
  ).toEqual(['tr_1']);
  expect(
    exported.stdout
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(',')[0]),
  ).toEqual(['tr_0']);
});

test.each([
  [['search', 'reward:high'], 'invalid query: expected a number at character 8, got "high"; for example reward:>0.5'],
  [['search', 'modle:x'], 'write model:, or quote a text that has a colon'],
  [['ls', '--query', '"open'], 'invalid --query: expected a closing quote at character 1'],
  [['ls', '--query', 'tool:bash cloudy'], 'fields only at character 11'],
])('rejects ors traces %j', async (args, says) => {
  await using stage = await behindServer();

  const { code, stderr } = await stage.traces(...args);

  expect(code).toBe(1);
  expect(stderr).toContain(says);
});
