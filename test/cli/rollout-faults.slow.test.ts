import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { defineEnvironment, defineTool, ToolError } from 'ors-kit';
import { serve } from 'ors-kit/server';
import { pino } from 'pino';
import { z } from 'zod';
import { ORS, ors, startCommand } from '../support/command.ts';
import { orsInProcess } from '../support/command-in-process.ts';
import { newFolder } from '../trace/store/stores.ts';

const shop = defineEnvironment({
  name: 'shop',
  splits: { test: Array.from({ length: 4 }, (_, n) => ({ n })) },
  prompt: () => 'Buy.',
  tools: {
    buy: defineTool({
      description: 'Buys.',
      input: z.object({}),
      run: () => ({ text: 'bought', reward: 1, finished: true }),
    }),
    refuse: {
      description: 'Says no.',
      run() {
        throw new ToolError('no');
      },
    },
  },
});

async function openStage() {
  const server = await serve([shop], { port: 0, log: pino({ level: 'silent' }) });
  const folder = await newFolder();
  const run = join(folder.path, 'run');
  return {
    ...{ url: server.url, run, folder: folder.path },
    /** Writes an agent module with this body, and returns the flags that run it. */
    async agent(body: string, { before = '' } = {}) {
      const file = join(folder.path, 'agent.mjs');
      await writeFile(file, `${before}\nexport default async (session, context) => { ${body} };\n`);
      return ['--split', 'test', '--agent', file, '--out', run];
    },
    /** Returns the contents of all files of the run except the trace database. */
    async written() {
      const names = (await readdir(run)).filter((name) => !name.startsWith('traces.db'));
      return (await Promise.all(names.map((name) => readFile(join(run, name), 'utf8')))).join('\n');
    },
    async [Symbol.asyncDispose]() {
      await server.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Starts a server on loopback that responds with `answer`. */
async function answering(answer: Parameters<typeof createServer>[1]) {
  const server: Server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('fails only the episode in which an agent throws an uncaught error, and continues the run', async () => {
  await using stage = await openStage();
  const fault = "setTimeout(() => { throw new Error('lost') }); await new Promise((end) => setTimeout(end, 300));";
  const agent = await stage.agent(`if (context.task.index === 2) { ${fault} } await session.call('buy');`);

  const { code, stdout } = await ors(['rollout', stage.url, ...agent, '--no-traces', '--json']);

  expect(code).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject({
    ...{ episodes: { ended: 3, missing: 1 }, reward: { mean: 1 } },
    failure_reasons: [
      { kind: 'agent', count: 1, message: expect.stringMatching(/the agent did not handle an error: lost;/) },
    ],
  });
});

test('fails an episode if the agent does not await a call that is refused', async () => {
  await using stage = await openStage();
  const wait = 'await new Promise((end) => setTimeout(end, 300));';
  const agent = await stage.agent(
    `if (context.task.index === 0) { session.call('refuse'); ${wait} } await session.call('buy');`,
  );

  const { code, stdout } = await ors(['rollout', stage.url, ...agent, '--no-traces', '--json']);

  expect(code).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject({ episodes: { ended: 3 }, failures: { agent: 1 } });
});

test('reports an agent that ends the process, and how to resume the run', async () => {
  await using stage = await openStage();
  const agent = await stage.agent('process.exit(0);');

  const { code, stdout, stderr } = await ors(['rollout', stage.url, ...agent]);

  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(
    /^ors: the code of the agent ended the process \(exit code 0\); .*resume with: ors rollout --resume /,
  );
});

test('keeps the output of an agent out of the results', async () => {
  await using stage = await openStage();
  const agent = await stage.agent("console.log('noise'); await session.call('buy');", {
    before: "console.log('loud');",
  });

  const { code, stdout, stderr } = await ors(['rollout', stage.url, ...agent, '--no-traces', '--json']);

  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ complete: true });
  expect(stderr).toBe(`loud\n${'noise\n'.repeat(4)}`);
});

test('reports why every episode of a run failed, and which file has the details', async () => {
  await using stage = await openStage();
  const agent = await stage.agent("throw new Error(context.sample === 0 ? 'rare' : 'frequent');");

  const { code, stdout } = await orsInProcess([
    'rollout',
    stage.url,
    ...agent,
    '--no-traces',
    '--limit',
    '2',
    '-n',
    '3',
  ]);

  expect(code).toBe(1);
  expect(stdout).toMatch(/\nattempts failed +agent 6; not scored\n +4 x agent: frequent\n +2 x agent: rare\n/);
  expect(stdout).toContain(`failures ${stage.run}/failures.jsonl\n`);
});

test.concurrent('reports a store that does not answer, and ends the run on Ctrl-C', async () => {
  await using stage = await openStage();
  const agent = await stage.agent("await session.call('buy');");
  await using store = await answering(() => undefined);
  await using command = startCommand([...ORS, 'rollout', stage.url, ...agent, '--traces', store.url]);

  await command.says(/ors: the trace store, \S+, has not responded for 3 s; the run waits for it, and Ctrl-C ends/);
  command.child.kill('SIGINT');
  const { code } = await command.result;

  expect(code).toBe(130);
  expect(await readFile(join(stage.run, 'rewards.jsonl'), 'utf8')).toBe('');
});

test.concurrent('reports a store that rejects writes, ends the run on Ctrl-C, and counts no episode that was not stored', async () => {
  await using stage = await openStage();
  const agent = await stage.agent("await session.call('buy');");
  await using store = await answering(({ method }, response) => {
    const list = { traces: [], page: { next_cursor: null } };
    response.writeHead(method === 'GET' ? 200 : 503, { 'content-type': 'application/json' });
    response.end(JSON.stringify(method === 'GET' ? list : { detail: 'no room' }));
  });
  await using command = startCommand([...ORS, 'rollout', stage.url, ...agent, '--traces', store.url]);

  await command.says(/ors: the trace store, \S+, rejects traces: .* returned 503: .*no room/);
  command.child.kill('SIGINT');
  const { code, stdout } = await command.result;

  expect(code).toBe(130);
  expect(stdout).toMatch(/\nepisodes +0 of 4; 4 are missing\n/);
  expect(stdout).toContain(`resume   ors rollout --resume ${stage.run}\n`);
});

test('names the variable of the key if a store rejects it', async () => {
  await using stage = await openStage();
  const agent = await stage.agent("await session.call('buy');");
  await using store = await answering((_request, response) => response.writeHead(401).end('{}'));

  const { code, stderr } = await orsInProcess(['rollout', stage.url, ...agent, '--traces', store.url]);

  expect(code).toBe(1);
  expect(stderr).toMatch(/returned 401: .*set ORS_TRACES_API_KEY .*resume with: ors rollout --resume /);
});

test('neither prints nor writes a key that a provider repeats', async () => {
  await using stage = await openStage();
  const key = 'sk-very-secret-0123456789';
  const seen: (string | undefined)[] = [];
  await using provider = await answering(({ url, headers }, response) => {
    seen.push(url);
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: `no such key: ${headers.authorization}, ${url}` } }));
  });
  const base = `${provider.url}/v1?api-version=7&sig=hidden-signature`;
  const model = [
    '--model',
    'openai-compatible/fake',
    '--base-url',
    base,
    '--key-variable',
    'MY_KEY',
    '--out',
    stage.run,
  ];

  const first = await orsInProcess(['rollout', stage.url, '--split', 'test', ...model], { env: { MY_KEY: key } });
  const second = await orsInProcess(['rollout', '--resume', stage.run], { env: { MY_KEY: key } });

  const all = [first.stdout, first.stderr, second.stdout, second.stderr, await stage.written()].join('\n');
  expect(first.stderr).toMatch(
    /rejected the API key: no such key: Bearer \[secret\], .*; check the API key in MY_KEY\n$/,
  );
  expect(second.stderr).toMatch(
    /\?api-version=7&sig=\.\.\., contains a secret that is not stored; pass it again with --base-url\n$/,
  );
  expect(all).not.toMatch(/very-secret|hidden-signature/);
  expect(seen).toContain('/v1/chat/completions?api-version=7&sig=hidden-signature');
});

test('records no secret of 6 characters or more, no value of a header and no single cookie', async () => {
  await using stage = await openStage();
  const note = 'hunter2, abc123456 and abcdef123456';
  const teller = await stage.agent(`await session.call('buy', { note: '${note}' });`);
  const secrets = ['--secret', 'PIN=hunter2', '--header', 'X-Access: abc123456', '--header', 'Cookie: a=abcdef123456'];

  const played = await orsInProcess([...['rollout', stage.url, ...teller, ...secrets]]);
  const shown = await orsInProcess(['traces', 'export', '--run', 'run', '--db', join(stage.run, 'traces.db')]);

  expect([played.code, shown.code]).toEqual([0, 0]);
  expect(shown.stdout).toContain('"note":"[secret], [secret] and [secret]"');
  expect(shown.stdout).not.toMatch(/hunter2|abc123456|abcdef123456/);
});

test('names the secrets that are too short to be masked', async () => {
  await using stage = await openStage();

  const agent = await stage.agent("await session.call('buy');");

  const { stderr } = await orsInProcess(['rollout', stage.url, ...agent, '--secret', 'PIN=1234']);

  expect(stderr).toContain("secret 'PIN' has fewer than 6 characters, so it is not masked\n");
});

test('uses different run names in a store for folders of the same name', async () => {
  await using stage = await openStage();
  const store = ['--traces', join(stage.folder, 'shared.db')];
  const outs = ['one', 'two'].map((parent) => join(stage.folder, parent, 'run'));
  await mkdir(join(stage.folder, 'two'));
  const begin = ['rollout', stage.url, '--split', 'test', '--agent', 'idle', ...store];

  const printed: string[] = [];
  for (const out of outs) printed.push((await orsInProcess([...begin, '--out', out])).stdout);
  const names = printed.map((text) => /^run +(run-[0-9a-f]{6})\n/.exec(text)?.[1] ?? '');
  const listed = await orsInProcess(['traces', 'ls', '--db', store[1] ?? '', '--run', names[0] ?? '', '--json']);

  expect(new Set(names).size).toBe(2);
  expect(printed[0]).toContain(`traces   ors traces ls --db ${store[1]} --run ${names[0]}\n`);
  expect(listed.stdout.match(/"id":"tr_/g)).toHaveLength(4);
});
