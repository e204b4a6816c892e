import { expect, test } from '@jest/globals';
import { openTraceAccess } from '../../../src/cli/traces/open-traces.ts';
import { serveTraces } from '../../../src/trace/api/index.ts';
import { createMemoryStore } from '../../../src/trace/store/index.ts';
import { ORS, startCommand } from '../../support/command.ts';
import { orsInProcess, startInProcess } from '../../support/command-in-process.ts';
import { freePort } from '../../support/free-ports.ts';
import { describeUnless } from '../../support/optional.ts';
import { addConversation, KNOWN, message, PLACES } from './stage.ts';

for (const { place, open, missing } of PLACES) {
  describeUnless(missing)(`a trace ${place}`, () => {
    test('is shown from its beginning and while it is written, until it is finished', async () => {
      await using stage = await open();
      await stage.store.createTrace('default', { id: 'tr_live', run: 'live' });
      await stage.append('tr_live', message('tb_1', 'first'));

      await using command = stage.startTraces('tail', 'live');
      await command.says(/run live\n[\s\S]*user\n {2}first\n/);
      await stage.append('tr_live', message('tb_2', 'second', 'assistant'));
      await command.says(/assistant\n {2}second\n/);
      await stage.store.updateTrace('default', 'tr_live', { status: 'finished' });
      const { code, stdout, stderr } = await command.result;

      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(/second\n\ntr_live\nrun live\nfinished {2}reward - {2}2 blocks .*\n$/);
    });

    test('that is finished is printed as JSON lines, blocks before the trace', async () => {
      await using stage = await open();
      await addConversation(stage);

      const { code, stdout } = await stage.traces('tail', KNOWN, '--json');
      const lines = stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));

      expect(code).toBe(0);
      expect(lines.map((line) => Object.keys(line)[0])).toEqual([...Array(9).fill('block'), 'trace']);
      expect(lines.at(-1).trace).toMatchObject({ id: KNOWN, status: 'finished', block_count: 9 });
    });

    test('exits with 0 on Ctrl-C, and with 1 when the trace is deleted', async () => {
      await using stage = await open();
      await stage.store.createTrace('default', { id: 'tr_live' });
      await stage.append('tr_live', message('tb_1', 'first'));

      await using left = startCommand([...ORS, 'traces', 'tail', 'live', ...stage.flags]);
      await using deleted = stage.startTraces('tail', 'live');
      await Promise.all([left.says(/first/), deleted.says(/first/)]);
      left.child.kill('SIGINT');
      const interrupted = await left.result;
      await stage.store.deleteTrace('default', 'tr_live');

      expect([interrupted.code, interrupted.stderr]).toEqual([0, '']);
      expect(await deleted.result).toMatchObject({ code: 1, stderr: 'ors: the trace was deleted\n' });
    });
  });
}

test('following a file ends at once if the signal has aborted', async () => {
  await using traces = await openTraceAccess({ db: ':memory:', org: 'default' });
  await traces.api.json('createTrace', { body: JSON.stringify({ id: 'tr_live' }) });

  const events: string[] = [];
  for await (const { event } of traces.follow('tr_live', 0, AbortSignal.abort())) events.push(event);

  expect(events).toEqual([]);
});

test('follows a trace over a restart of its server without missing or repeating a block', async () => {
  await using store = createMemoryStore();
  const write = (id: string, content: string) =>
    store.append('default', 'tr_live', {
      body: message(id, content),
      limits: { message: 999, think: 999, toolArguments: 999, toolResult: 999, request: 99_999 },
    });
  await store.createTrace('default', { id: 'tr_live' });
  await write('tb_1', 'block one');
  const first = await serveTraces({ store, port: await freePort() });
  await using command = startInProcess(['traces', 'tail', 'live', '--url', first.url]);

  await command.says(/block one/);
  await first.close();
  await command.says(/ors: .*; resuming after block 1\n/);
  await write('tb_2', 'block two');
  await using _second = await serveTraces({ store, port: first.port });
  await command.says(/block two/);
  await store.updateTrace('default', 'tr_live', { status: 'finished' });
  const { code, stdout } = await command.result;

  expect([code, stdout.match(/block (one|two)/g)]).toEqual([0, ['block one', 'block two']]);
});

test('exits for an unknown trace and for a server that is not a trace store', async () => {
  await using store = createMemoryStore();
  await using server = await serveTraces({ store, port: 0 });

  const unknown = await orsInProcess(['traces', 'tail', 'nope', '--url', server.url]);
  const none = await orsInProcess(['traces', 'tail', 'nope', '--url', 'http://127.0.0.1:2']);

  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('there is no trace tr_nope') });
  expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('check the address') });
});
