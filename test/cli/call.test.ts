import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { defineEnvironment } from 'ors-kit';
import maze from '../../examples/maze/environment.ts';
import { quiz } from '../bridges/quiz.ts';
import { start } from '../support/client.ts';
import { ORS, startCommand } from '../support/command.ts';
import { orsInProcess, startInProcess } from '../support/command-in-process.ts';
import { hostile } from '../support/hostile-texts.ts';
import { lab } from '../support/lab.ts';
import { loadExpress } from '../support/load-express.ts';
import { until } from '../support/until.ts';

beforeAll(loadExpress);

const NEW = ['--split', 'train', '--index', '0'] as const;
const json = (text: string) => JSON.parse(text);

async function scratch() {
  const folder = await mkdtemp(join(tmpdir(), 'ors-call-'));
  return { file: (name: string) => join(folder, name), [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

test('shows all environments with their splits and tools if none is named', async () => {
  await using server = await start([lab().environment, maze]);

  const { stdout, stderr, code } = await orsInProcess(['call', server.url]);

  expect(stdout).toMatch(/^http:\/\/127.0.0.1:\d+ runs ors-kit \d/);
  expect(stdout).toContain('\nlab\n  splits  train (2 tasks), test (0 tasks), hard (1,000,000 tasks)\n');
  expect(stdout).toContain('  count          Count.\n');
  expect(stdout).toContain('\nmaze\n  splits  train (1,000 tasks), test (100 tasks)\n  move  Walk some steps');
  expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  expect([stderr, code]).toEqual(['', 0]);
});

test('shows an environment with the parameters of its tools', async () => {
  await using server = await start(maze);

  const { stdout } = await orsInProcess(['call', server.url, 'MAZE']);

  expect(stdout).toBe(`maze

  splits
    train  train  1,000 tasks
    test   test   100 tasks

  tools
    move
      Walk some steps in one direction. You stop at a wall and at the exit,
      which ends the episode.
        direction  "north" | "east" | "south" | "west", required
          Where to walk.
        steps  integer, 1 to 20, default 1
          How far to walk.
`);
});

test('--json prints the same with the field names of the protocol', async () => {
  await using server = await start(maze);

  const [all, one] = await Promise.all([
    orsInProcess(['call', server.url, '--json']),
    orsInProcess(['call', server.url, 'maze', '--json']),
  ]);

  const environment = {
    name: 'maze',
    splits: [
      { name: 'train', type: 'train', num_tasks: 1000 },
      { name: 'test', type: 'test', num_tasks: 100 },
    ],
    tools: [{ name: 'move', description: expect.any(String), input_schema: expect.any(Object) }],
    terminal_tool: null,
  };
  const dialect = { name: 'ors-kit', version: expect.any(String) };
  expect(json(all.stdout)).toEqual({ url: server.url, dialect, environments: [environment] });
  expect(json(one.stdout)).toEqual(environment);
});

test('lists tasks with their indices: the first ten, or a range', async () => {
  await using server = await start(lab().environment);
  const list = (...range: string[]) => orsInProcess(['call', server.url, 'lab', '--tasks', 'hard', ...range]);

  const [first, range, document] = await Promise.all([
    list(),
    list('--start', '9', '--stop', '11'),
    list('--start', '999999', '--json'),
  ]);

  expect(first.stdout.split('\n')).toHaveLength(11);
  expect(range.stdout).toBe(' 9  {"n":9}\n10  {"n":10}\n');
  expect(json(document.stdout)).toEqual({
    environment: 'lab',
    split: 'hard',
    tasks: [{ index: 999999, task: { n: 999999 } }],
  });
});

test('calls a tool in a new episode, which is deleted afterwards', async () => {
  const { environment, events } = lab();
  await using server = await start(environment);

  const { stdout, code } = await orsInProcess(['call', server.url, 'lab', 'echo', ...NEW, 'text=5', 'times=2']);

  expect(stdout).toBe('task {"n":0}, count 0\n\n55\nno reward\n');
  expect([code, events]).toEqual([0, ['setup', 'teardown']]);
});

test('saves pictures, and prints the reward', async () => {
  await using server = await start(maze);
  await using folder = await scratch();

  const { stdout } = await orsInProcess([
    ...['call', server.url, 'maze', 'move', '--task', '{"seed":1,"size":4,"compass":false}'],
    ...['direction=north', '--images', folder.file('pictures')],
  ]);

  expect(stdout).toContain('There is a wall to the north: you have not moved.');
  expect(stdout).toContain(`[image/png saved as ${folder.file('pictures/2.png')}]\nreward 0\n`);
  expect(await readFile(folder.file('pictures/2.png'), 'latin1')).toContain('PNG');
});

test('resumes a kept episode by its session id, until it is closed', async () => {
  const { environment, events } = lab();
  await using server = await start(environment);

  const kept = await orsInProcess(['call', server.url, 'lab', 'count', ...NEW, '--keep']);
  const goOn = /ors (call .* --sid (\S+))\n {2}ors (call .* --close)\n/.exec(kept.stdout);
  const [, , sid = '', close = ''] = goOn ?? [];
  const second = await orsInProcess(['call', server.url, 'lab', 'count', '--sid', sid]);
  const shown = await orsInProcess(['call', server.url, 'lab', '--sid', sid]);
  const before = [...events];
  const closed = await orsInProcess(close.split(' '));
  const late = await orsInProcess(['call', server.url, 'lab', 'count', '--sid', sid]);

  expect(kept.stdout).toContain('\n1\nno reward\n');
  expect(second.stdout).toBe('2\nno reward\n');
  expect(shown.stdout).toContain('task {"n":0}, count 0\n\n  count\n    Count.\n');
  expect(shown.stdout).toContain('  echo\n    Say what was said.\n      text  string, required\n');
  expect(before).toEqual(['setup']);
  expect(closed.stdout).toBe(`session ${sid} is closed\n`);
  expect(events).toEqual(['setup', 'teardown']);
  expect(late).toMatchObject({ code: 1, stdout: '' });
  expect(late.stderr).toMatch(/^ors: session \S+ is gone: .*; open a new one with --split and --index, or --task\n$/);
});

test('--json prints an episode with its prompt, its tools and the result in the format of the protocol', async () => {
  await using server = await start(lab().environment);

  const { stdout } = await orsInProcess(['call', server.url, 'lab', 'finish', ...NEW, '--json']);

  expect(json(stdout)).toEqual({
    environment: 'lab',
    sid: expect.any(String),
    open: false,
    prompt: [{ type: 'text', text: 'task {"n":0}, count 0', detail: null }],
    messages: [{ role: 'user', blocks: [{ type: 'text', text: 'task {"n":0}, count 0', detail: null }], detail: null }],
    tools: expect.arrayContaining([{ name: 'count', description: 'Count.', input_schema: null }]),
    terminal_tool: null,
    result: {
      ok: true,
      output: { blocks: [{ type: 'text', text: 'done', detail: null }], metadata: null, reward: 1, finished: true },
    },
  });
});

test('exits with 2 if the tool refuses the call', async () => {
  const { environment, events } = lab();
  await using server = await start(environment);

  const plain = await orsInProcess(['call', server.url, 'lab', 'fail', ...NEW]);
  const document = await orsInProcess(['call', server.url, 'lab', 'echo', ...NEW, 'times:="x"', '--json']);

  expect(plain).toMatchObject({
    code: 2,
    stderr: "ors: tool 'fail' rejected the call: Tool 'fail' failed: File not found\n",
  });
  expect(document).toMatchObject({ code: 2, stderr: '' });
  expect(json(document.stdout).result).toEqual({
    ok: false,
    error: expect.stringContaining('/text is missing'),
    reason: 'input_validation',
  });
  expect(events).toEqual(['setup', 'teardown', 'setup', 'teardown']);
});

test('shows a conversation with its roles, and the tool that grades the final message', async () => {
  await using server = await start(quiz);

  const [environment, all, episode] = await Promise.all([
    orsInProcess(['call', server.url, 'quiz']),
    orsInProcess(['call', server.url]),
    orsInProcess(['call', server.url, 'quiz', ...NEW, '--keep']),
  ]);

  const graded = '  final message\n    graded by grade\n      Grades the answer.\n';
  expect(environment.stdout).toContain(`        term  string, required\n\n${graded}`);
  expect(all.stdout).toContain("  look.up  Look a term up.\n  the final message is graded by 'grade'\n");
  expect(episode.stdout).toMatch(
    /^\[system\]\nBe brief\.\n\[user\]\nWhat is 1 \+ 1\?\n\[image\/png saved as \S+\]\n\[assistant\]\n/,
  );
  expect(episode.stdout).toContain(graded);
  expect(episode.stdout).toMatch(
    /To call a tool in it, to submit an answer, and to close it:\n.* look\.up .*\n {2}ors call \S+ quiz --answer \.\.\. --sid/,
  );
});

test('submits an answer, as text or from standard input, or by the name of its tool', async () => {
  await using server = await start(quiz);
  const episode = ['call', server.url, 'quiz', ...NEW, '--json'];

  const [text, piped, named] = await Promise.all([
    orsInProcess([...episode, '--answer', '2']),
    orsInProcess([...episode, '--answer', '-'], { input: '3\n' }),
    orsInProcess(['call', server.url, 'quiz', 'grade', ...NEW, '--json', 'answer=2']),
  ]);

  const rewards = [text, piped, named].map(({ stdout }) => json(stdout).result.output.reward);
  expect(rewards).toEqual([1, 0, 1]);
  expect(json(text.stdout).terminal_tool).toEqual({ name: 'grade', arg: 'answer', description: 'Grades the answer.' });
});

test('reports why an answer was refused, or that no tool grades it', async () => {
  await using server = await start([quiz, lab().environment]);

  const [refused, ungraded] = await Promise.all([
    orsInProcess(['call', server.url, 'quiz', ...NEW, '--answer', 'two']),
    orsInProcess(['call', server.url, 'lab', ...NEW, '--answer', '2']),
  ]);

  expect(refused).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^ors: the answer was rejected \(input_validation\): /),
  });
  expect(ungraded.code).toBe(1);
  expect(ungraded.stderr).toBe("ors: no tool of 'lab' grades a final message; call a tool instead of --answer\n");
});

test('plays with the tools of a toolset, and reports the names of toolsets if there is no such toolset', async () => {
  const say = (text: string) => ({ description: `Say ${text}.`, run: () => ({ text }) });
  const equipped = defineEnvironment({
    name: 'equipped',
    splits: { train: [{}] },
    prompt: () => 'Go.',
    tools: { walk: say('slow') },
    toolsets: { fast: { run: say('fast'), walk: say('faster') } },
  });
  await using server = await start(equipped);
  const walk = ['call', server.url, 'equipped', 'walk', ...NEW];

  const [plain, fast, unknown] = await Promise.all([
    orsInProcess(walk),
    orsInProcess([...walk, '--toolset', 'fast']),
    orsInProcess([...walk, '--toolset', 'slow']),
  ]);

  expect(plain.stdout).toContain('\nslow\n');
  expect(fast.stdout).toContain('\nfaster\n');
  expect(unknown.code).toBe(1);
  expect(unknown.stderr).toMatch(/unknown toolset 'slow'.*fast/);
});

test('reads the input from a file or from standard input', async () => {
  await using server = await start(lab().environment);
  await using folder = await scratch();
  await writeFile(folder.file('input.json'), '{"text": "from a file"}');
  const echo = ['call', server.url, 'lab', 'echo', ...NEW, '--input'];

  const [file, piped] = await Promise.all([
    orsInProcess([...echo, `@${folder.file('input.json')}`]),
    orsInProcess([...echo, '-'], { input: '{"text": "piped"}' }),
  ]);

  expect(file.stdout).toContain('\nfrom a file\n');
  expect(piped.stdout).toContain('\npiped\n');
});

test('reads a file that begins with a byte order mark', async () => {
  await using server = await start(lab().environment);
  await using folder = await scratch();
  await writeFile(folder.file('input.json'), '\ufeff{"text": "marked"}');

  const { stdout } = await orsInProcess([
    'call',
    server.url,
    'lab',
    'echo',
    ...NEW,
    '--input',
    `@${folder.file('input.json')}`,
  ]);

  expect(stdout).toContain('\nmarked\n');
});

test('warns of a secret that is too short to be masked, and masks no part of a message with it', async () => {
  const setup = () => {
    throw new Error('too many open files');
  };
  await using server = await start(lab({ setup }).environment);

  const { stderr } = await orsInProcess(['call', server.url, 'lab', 'echo', ...NEW, '--secret', 'PIN=any']);

  expect(stderr).toContain('too many open files');
  expect(stderr).toContain("ors: secret 'PIN' has fewer than 6 characters, so it is not masked\n");
});

test('passes secrets to the environment, by value or by the name of a variable', async () => {
  const seen: unknown[] = [];
  const { environment } = lab({ setup: ({ secrets }) => seen.push(secrets) });
  await using server = await start(environment);

  const env = { FROM_SHELL: 'b=c' };
  await orsInProcess(['call', server.url, 'lab', ...NEW, '--secret', 'A=a==', '--secret', 'FROM_SHELL'], { env });

  expect(seen).toEqual([{ A: 'a==', FROM_SHELL: 'b=c' }]);
});

test('Ctrl-C in a call deletes the episode and exits with 130', async () => {
  const { environment, events } = lab();
  await using server = await start(environment);
  await using command = startCommand([...ORS, 'call', server.url, 'lab', 'until_aborted', ...NEW]);

  await until(() => events.includes('start until_aborted'));
  command.child.kill('SIGINT');
  const { code, stderr } = await command.result;

  expect([code, stderr]).toEqual([130, 'ors: interrupted\n']);
  expect(events).toContain('teardown');
});

test('Ctrl-C in a call that keeps its session deletes the episode too', async () => {
  const { environment, events } = lab();
  await using server = await start(environment);
  await using command = startInProcess(['call', server.url, 'lab', 'until_aborted', ...NEW, '--keep']);

  await until(() => events.includes('start until_aborted'));
  command.signal('SIGINT');
  const { code, stderr } = await command.result;

  expect([code, stderr]).toEqual([130, 'ors: interrupted\n']);
  expect(events).toContain('teardown');
});

test('prints no control characters of a server', async () => {
  await using server = await start(hostile());
  const look = (...args: string[]) => orsInProcess(['call', server.url, ...args]);

  const outputs = await Promise.all([
    look('hostile'),
    look('hostile', '--tasks', 'train'),
    look('hostile', 'speak', ...NEW),
    look('hostile', 'speak', ...NEW, '--json'),
  ]);

  const printed = outputs.map(({ stdout, stderr }) => stdout + stderr).join('');
  expect(printed).toContain('harmless');
  expect(printed).not.toMatch(/[^\P{Cc}\t\n]/u);
});

test('reports a server that is not an ORS server, and sends it the requested headers', async () => {
  const headers: IncomingHttpHeaders[] = [];
  const other = createServer((request, response) => {
    headers.push(request.headers);
    response.writeHead(404, { 'Content-Type': 'text/plain' }).end('no such page');
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;

  const { code, stderr } = await orsInProcess(['call', `${url}/below/`, '--header', 'X-Team: red'], {
    env: { ORS_API_KEY: 'my-key' },
  });
  other.close();

  const advice = 'pass the URL below which /list_environments is served';
  expect(stderr).toBe(`ors: there is no ORS server at ${url}/below: it responded 404 no such page; ${advice}\n`);
  expect(code).toBe(1);
  expect(headers).toEqual([expect.objectContaining({ 'x-api-key': 'my-key', 'x-team': 'red' })]);
});

test('reports every mistake in one line that says what to do', async () => {
  const { environment, events } = lab();
  await using server = await start(environment);
  const { url } = server;
  const mistakes: readonly (readonly [args: readonly string[], told: string])[] = [
    [['lba', ...NEW], `at ${url} there is no environment 'lba'. Did you mean 'lab'? There is: lab`],
    [
      ['lab', '--tasks', 'tran'],
      "in 'lab' there is no split 'tran'. Did you mean 'train'? There are: train, test and hard",
    ],
    [['lab', '--split', 'x', '--index', '0'], "in 'lab' there is no split 'x'. There are: train, test and hard"],
    [['lab', 'ecko', ...NEW], "in this episode of 'lab' there is no tool 'ecko'. Did you mean 'echo'? There are: "],
    [['lab', 'echo', ...NEW, 'text'], "invalid parameter 'text': expected key=value or key:=json"],
    [['lab', 'wait', ...NEW, 'gate=x', '--timeout', '0.5'], 'no response within 0.5 s; increase --timeout'],
  ];

  const results = await Promise.all(mistakes.map(([args]) => orsInProcess(['call', url, ...args])));

  expect(results.map(({ code, stderr }) => [code, stderr])).toEqual(
    mistakes.map(([, told]) => [1, expect.stringContaining(`ors: ${told}`)]),
  );
  expect(results.filter(({ stderr }) => stderr.indexOf('\n') !== stderr.length - 1)).toEqual([]);
  expect(events.filter((event) => event === 'setup')).toHaveLength(
    events.filter((event) => event === 'teardown').length,
  );
});

test('masks keys and headers that a server repeats in its errors', async () => {
  const server = createServer(({ headers }, response) => {
    response.writeHead(403, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ detail: `${headers['x-access']} and ${headers['x-api-key']} may not` }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const keys = ['--api-key', 'key-1234', '--header', 'X-Access: abc123456'];

  const { stderr } = await orsInProcess(['call', `http://127.0.0.1:${port}`, ...keys]);

  server.close();
  expect(stderr).toContain('403 [secret] and [secret] may not');
});

test('reports that nothing listens, as a JSON document with --json', async () => {
  const { code, stdout, stderr } = await orsInProcess(['call', 'http://127.0.0.1:1', '--json']);

  expect([code, stdout]).toEqual([1, '']);
  expect(json(stderr)).toEqual({
    error: {
      name: 'OrsConnectionError',
      message: expect.stringContaining('check the address, and that the server runs'),
      status: null,
      sid: null,
      retryable: true,
    },
  });
});
