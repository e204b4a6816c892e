import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { ask, countsOf, promptOf, prompts, rowName, rows, rowsOfOrsSdk } from '../conformance/fixture-rows.ts';
import { replay, transcripts } from '../conformance/transcripts.ts';
import { type RunningCommand, startCommand } from '../support/command.ts';
import { describeWithPython, interpreter, python } from './python.ts';

const path = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const fixture = path('../../examples/conformance/conformance.py');

/** Steps of transcripts that ors-sdk does not answer as the standard requires, by subject, with the reason. */
const deviations: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  errors: {
    '/tasks without a split': 'bodies that do not fit are 422, with a list in detail',
    '/num_tasks without a split': 'as before',
    '/task_range with a bound that is no integer': 'as before',
  },
  sessions: { 'gives an id': '/create_session answers events, whatever Accept says' },
};

interface Served extends AsyncDisposable {
  readonly url: string;
  readonly command: RunningCommand;
}

async function serveFixture(): Promise<Served> {
  const command = startCommand([...python, path('servers/with_parent.py'), fixture, '--port', '0']);
  const [, url = ''] = await command.says(/^ready (\S+)$/m);
  return { url, command, [Symbol.asyncDispose]: () => command[Symbol.asyncDispose]() };
}

describeWithPython()('the fixture over ors-sdk', () => {
  test.each(transcripts)('answers the transcript %s, but for what is known', async (subject, transcript) => {
    await using server = await serveFixture();

    const found = await replay(server.url, transcript);

    expect(found.map(({ step }) => step)).toEqual(Object.keys(deviations[subject] ?? {}));
  });

  test('does each row of its page, but for what is known', async () => {
    await using server = await serveFixture();

    const seen = [];
    for (const row of rows) seen.push([rowName(row), await ask(server, row)]);

    expect(seen).toEqual(rows.map((row) => [rowName(row), rowsOfOrsSdk[rowName(row)]?.gives ?? row.gives]));
  });

  test('has the prompts of its page', async () => {
    await using server = await serveFixture();

    const seen = [];
    for (const [choice] of prompts) seen.push(await promptOf(server, choice));

    expect(seen).toEqual(prompts.map(([, prompt]) => prompt));
  });

  test('counts setups and teardowns, and reports no teardown after a failed setup', async () => {
    await using server = await serveFixture();

    expect(await countsOf(server, 'works')).toEqual([
      { setups: 1, teardowns: 0 },
      { setups: 1, teardowns: 1 },
    ]);
    await server.command.says(/^conformance: teardown works$/m);
    expect(await countsOf(server, 'fails', { setup_fail: 'no sandbox' })).toEqual([
      { setups: 1, teardowns: 0 },
      { setups: 1, teardowns: 0 },
    ]);
  });

  test.each([
    [['--help'], 0, /--port PORT +port to listen on; 0 for any free port \(default: 8080\)/],
    [['--port', 'many'], 2, /argument --port: invalid port: expected a number from 0 to 65535, got many/],
    [['--port', '99999'], 2, /argument --port: invalid port: expected a number from 0 to 65535, got 99999/],
  ])('is started with %j: ends with %i and says why', async (args, code, text) => {
    const { result } = startCommand([interpreter, fixture, ...args]);

    const { code: ended, stdout, stderr } = await result;

    expect(ended).toBe(code);
    expect(stdout + stderr).toMatch(text);
  });

  test('says so when its port is taken', async () => {
    await using server = await serveFixture();
    const { port } = new URL(server.url);

    const { code, stderr } = await startCommand([interpreter, fixture, '--port', port]).result;

    expect(code).toBe(1);
    expect(stderr).toMatch(`cannot listen on 127.0.0.1:${port}: Address already in use; choose another with --port`);
  });
});
