import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { quiz } from '../bridges/quiz.ts';
import { CANARIES, treasure } from '../bridges/treasure.ts';
import { start } from '../support/client.ts';
import { ORS, startCommand } from '../support/command.ts';
import { orsInProcess, startInProcess } from '../support/command-in-process.ts';
import { lab } from '../support/lab.ts';
import { loadExpress } from '../support/load-express.ts';
import { until } from '../support/until.ts';

beforeAll(loadExpress);

const TASK = ['--env', 'treasure', '--split', 'train', '--index', '0'] as const;
const [program, main] = ORS;

async function scratch() {
  const folder = await mkdtemp(join(tmpdir(), 'ors-mcp-'));
  const file = join(folder, 'rewards.jsonl');
  const rows = async () =>
    (await readFile(file, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  return {
    file,
    rows,
    /** Waits until this number of episodes have ended, and returns all rows. */
    async ended(episodes = 1) {
      await until(async () => (await rows()).filter(({ type }) => type === 'episode').length >= episodes);
      return await rows();
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

/** Starts `ors mcp` through a client of the SDK. */
async function connected(url: string, ...args: readonly string[]) {
  const transport = new StdioClientTransport({
    command: program,
    args: [main, 'mcp', url, ...args],
    stderr: 'pipe',
  });
  let said = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  return { client, transport, said: () => said, [Symbol.asyncDispose]: () => client.close() };
}

test('plays an episode over standard input and output, and writes each reward to the file at once', async () => {
  await using server = await start(treasure);
  await using folder = await scratch();
  await using mcp = await connected(server.url, ...TASK, '--rewards', folder.file);
  const { client } = mcp;

  const { tools } = await client.listTools();
  const looked = await client.callTool({ name: 'look' });
  const during = await folder.rows();
  const found = await client.callTool({ name: 'island.dig', arguments: { spot: 3 } });
  await client.close();
  await until(() => server.sessionCount === 0);
  const after = await folder.ended();

  expect(tools.map(({ name }) => name)).toEqual(['look', 'island.dig']);
  expect(JSON.stringify([looked, found])).not.toMatch(CANARIES);
  expect(during).toMatchObject([{ type: 'call', tool: 'look', reward: 0.1875, split: 'train', index: 0 }]);
  expect(after.slice(1)).toMatchObject([
    { type: 'call', tool: 'island.dig', reward: 0.8125, finished: true },
    { type: 'episode', environment: 'treasure', calls: 2, reward: 1, finished: true },
  ]);
  expect(mcp.said()).toBe('ors mcp serves an episode of treasure on standard input and output\n');
});

test('deletes the episode when standard input ends, and writes nothing after that', async () => {
  const { environment, events } = lab();
  await using server = await start(environment);
  await using folder = await scratch();
  const call = (id: number, method: string, params: object) =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
  const clientInfo = { name: 'test', version: '1' };
  const task = ['--env', 'lab', '--split', 'train', '--index', '0', '--rewards', folder.file];
  await using command = startCommand([...ORS, 'mcp', server.url, ...task]);
  const { stdin } = command.child;
  stdin?.write(call(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }));
  await command.says(/"id":1,/);

  stdin?.write(call(2, 'tools/call', { name: 'until_aborted' }));
  await until(() => events.includes('start until_aborted'));
  stdin?.end();
  const { stdout, code } = await command.result;

  const answers = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(answers).toMatchObject([{ id: 1, result: { protocolVersion: '2025-06-18' } }]);
  expect([code, server.sessionCount, events.at(-1)]).toEqual([0, 0, 'teardown']);
  expect((await folder.rows()).map(({ type, reward }) => [type, reward])).toEqual([
    ['call', null],
    ['episode', null],
  ]);
});

test('SIGTERM deletes the episode, even while a tool runs', async () => {
  const { environment, events } = lab();
  await using server = await start(environment);
  await using folder = await scratch();
  const task = ['--env', 'lab', '--split', 'train', '--index', '0', '--rewards', folder.file];
  await using mcp = await connected(server.url, ...task);
  const called = mcp.client.callTool({ name: 'until_aborted' }).catch((error: unknown) => error);
  await until(() => events.includes('start until_aborted'));

  process.kill(mcp.transport.pid ?? 0, 'SIGTERM');
  await called;
  await until(() => server.sessionCount === 0);

  expect(events.at(-1)).toBe('teardown');
  expect((await folder.ended()).at(-1)).toMatchObject({ type: 'episode', reward: null, finished: false });
});

test('--http serves one episode per client until SIGTERM', async () => {
  await using server = await start(treasure);
  await using folder = await scratch();
  const args = ['mcp', server.url, ...TASK, '--http', '--port', '0', '--rewards', folder.file];
  await using command = startInProcess(args);
  const [, url = ''] = await command.says(/ors mcp serves episodes on (\S+)\n/);
  const clients = [1, 2].map(() => new Client({ name: 'test', version: '1' }));
  for (const client of clients) await client.connect(new StreamableHTTPClientTransport(new URL(url)) as never);

  const texts = await Promise.all(clients.map((client) => client.callTool({ name: 'look' })));
  const during = server.sessionCount;
  command.signal('SIGTERM');
  const { code } = await command.result;
  for (const client of clients) await client.close();

  expect(texts.map(({ isError }) => isError)).toEqual([undefined, undefined]);
  expect([during, server.sessionCount, code]).toEqual([2, 0, 0]);
  expect((await folder.rows()).map(({ type }) => type).sort()).toEqual(['call', 'call', 'episode', 'episode']);
});

test.each([
  [['--env', 'treasure'], /^ors: no task selected; pass --split <name> and --index <number>, or --task <json>\n$/],
  [['--env', 'tresure', '--split', 'train', '--index', '0'], /Did you mean 'treasure'\?/],
  [['--env', 'treasure', '--split', 'trian', '--index', '0'], /Did you mean 'train'\?/],
  [
    [...TASK, '--rewards', '/no/such/folder/rewards.jsonl'],
    /cannot write rewards to '\/no\/such.*': its folder does not exist/,
  ],
  [[...TASK, '--http', '--port', 'x'], /Expected a whole number from 0 to 65535/],
])('ors mcp %j reports the mistake, and opens no episode', async (args, reason) => {
  await using server = await start([treasure, lab().environment]);

  const { code, stdout, stderr } = await orsInProcess(['mcp', server.url, ...args]);

  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(reason);
  expect(server.sessionCount).toBe(0);
});

test('requires --env if there are several environments', async () => {
  await using server = await start([treasure, lab().environment]);

  const { code, stderr } = await orsInProcess(['mcp', server.url, '--split', 'train', '--index', '0']);

  expect([code, stderr]).toEqual([
    1,
    'ors: the server has several environments; select one with --env: treasure and lab\n',
  ]);
});

test('lists the tool that grades the final message, and writes why a call was refused', async () => {
  await using server = await start(quiz);
  await using folder = await scratch();
  const task = ['--env', 'quiz', '--split', 'train', '--index', '0'];
  await using mcp = await connected(server.url, ...task, '--rewards', folder.file);
  const { client } = mcp;

  const { tools } = await client.listTools();
  await client.callTool({ name: 'grade', arguments: { answer: 'two' } });
  await client.callTool({ name: 'grade', arguments: { answer: '2' } });
  await client.close();
  const rows = await folder.ended();

  expect(tools.map(({ name }) => name)).toEqual(['look.up', 'grade']);
  expect(rows).toMatchObject([
    { tool: 'grade', ok: false, reward: null, reason: 'input_validation' },
    { tool: 'grade', ok: true, reward: 1, finished: true },
    { type: 'episode', calls: 2, reward: 1 },
  ]);
});
