import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import { defineEnvironment } from 'ors-kit';
import { start } from '../support/client.ts';
import { ORS, ors, startCommand } from '../support/command.ts';
import { orsInProcess } from '../support/command-in-process.ts';
import { loadExpress } from '../support/load-express.ts';
import { until } from '../support/until.ts';

beforeAll(loadExpress);

interface Place {
  readonly city: string;
  readonly in?: string;
}

/** Environment with these tasks. */
const places = (splits: Record<string, readonly Place[]>, name = 'places') =>
  defineEnvironment({
    name,
    splits: Object.fromEntries(Object.entries(splits).map(([split, tasks]) => [split, [...tasks]])),
    publicTask: ({ in: _hidden, ...shown }: Place) => ({ ...shown }),
    prompt: () => 'Where is it?',
    tools: { answer: { description: 'Answer.', run: () => ({ text: 'Right.', reward: 1, finished: true }) } },
  } as never);

const CITIES = ['Nairobi', 'Lima', 'Oslo'].map((city) => ({ city, in: 'a country' }));

async function scratch() {
  const folder = await mkdtemp(join(tmpdir(), 'ors-tasks-'));
  return {
    folder,
    file: (name: string) => join(folder, name),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

const parsed = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

test('writes a manifest with a header, and a line with a hash for each task, without hidden fields', async () => {
  await using server = await start(places({ train: CITIES, test: [{ city: 'Quito' }] }));

  const { stdout, stderr, code } = await orsInProcess(['tasks', 'snapshot', server.url]);

  const [header, ...rows] = parsed(stdout);
  expect(header).toEqual({
    format: 'ors-tasks/1',
    environment: 'places',
    server: { name: 'ors-kit', version: expect.any(String) },
    taken_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    complete: true,
    splits: [
      { name: 'train', type: 'train', tasks: 3 },
      { name: 'test', type: 'test', tasks: 1 },
    ],
  });
  expect(rows).toHaveLength(4);
  expect(rows[1]).toEqual({ split: 'train', index: 1, hash: sha256('{"city":"Lima"}'), task: { city: 'Lima' } });
  expect([stderr, code]).toEqual(['', 0]);
});

test('writes the same bytes, except for the time, for the same tasks from any server and in any key order', async () => {
  await using one = await start(places({ test: [{ city: 'Bern', in: 'x', river: 'Aare' } as Place] }));
  await using other = await start(places({ test: [{ river: 'Aare', in: 'y', city: 'Bern' } as Place] }));

  const texts = [
    await orsInProcess(['tasks', 'snapshot', one.url]),
    await orsInProcess(['tasks', 'snapshot', other.url]),
  ];

  const [first, second] = texts.map(({ stdout }) => stdout.replace(/"taken_at":"[^"]+"/, ''));
  expect(first).toContain('"task":{"city":"Bern","river":"Aare"}');
  expect(second).toBe(first);
});

test('--hashes-only omits the tasks and keeps the digest; --out --json reports the written manifest', async () => {
  await using server = await start(places({ train: CITIES, test: CITIES }));
  await using place = await scratch();
  const take = ['tasks', 'snapshot', server.url, '--split', 'test', '--json', '--out'];

  const whole = JSON.parse((await orsInProcess([...take, place.file('whole.jsonl')])).stdout);
  const bare = JSON.parse((await orsInProcess([...take, place.file('bare.jsonl'), '--hashes-only'])).stdout);

  const rows = parsed(await readFile(place.file('bare.jsonl'), 'utf8')).slice(1);
  expect(rows.map((row) => Object.keys(row))).toEqual(Array(3).fill(['split', 'index', 'hash']));
  expect(bare).toMatchObject({ environment: 'places', complete: false, tasks: 3, digest: whole.digest });
  expect(await readdir(place.folder)).toEqual(['bare.jsonl', 'whole.jsonl']);
});

test('reports changes by JSON pointer, and exits with 1', async () => {
  const tasks = ['a', 'b', 'c', 'd', 'e'].map((city) => ({ city }));
  await using server = await start(places({ train: tasks, test: [{ city: 'x' }] }));
  await using later = await start(
    places({ train: [...['a', 'c', 'b', 'D'].map((city) => ({ city })), { city: 'e' }, { city: 'f' }] }),
  );
  await using place = await scratch();
  await orsInProcess(['tasks', 'snapshot', server.url, '--out', place.file('before.jsonl')]);

  const { stdout, code } = await orsInProcess(['tasks', 'diff', place.file('before.jsonl'), later.url]);

  expect(stdout).toBe(`places
  train  5 -> 6 tasks, 1 changed, 2 moved, 1 added
    ~ changed 3: /city
    > moved 2 -> 1
    > moved 1 -> 2
    + added 5
  test  the split was removed, 1 removed
    - removed 0
not the same: 1 changed, 2 moved, 1 added, 1 removed
`);
  expect(code).toBe(1);
});

test('--json prints the differences with full counts and limited lists', async () => {
  const many = Array.from({ length: 50 }, (_, index) => ({ city: `city ${index}` }));
  await using before = await start(places({ test: many }));
  await using after = await start(
    places({ test: many.map(({ city }, index) => (index % 2 ? { city } : { city: `${city}!` })) }),
  );

  const { stdout, code } = await orsInProcess(['tasks', 'diff', before.url, after.url, '--json', '--limit', '2']);

  expect(JSON.parse(stdout)).toMatchObject({
    same: false,
    before: { environment: 'places', taken_at: null },
    splits: [
      {
        name: 'test',
        before: 50,
        after: 50,
        counts: { same: 25, changed: 25, moved: 0, added: 0, removed: 0 },
        changed: [
          { index: 0, pointers: ['/city'] },
          { index: 2, pointers: ['/city'] },
        ],
      },
    ],
  });
  expect(code).toBe(1);
});

test('compares a manifest of one split only in that split, and one without tasks by hashes', async () => {
  await using server = await start([places({ train: CITIES, test: CITIES }), places({ test: CITIES }, 'other')]);
  await using place = await scratch();
  const file = place.file('test.jsonl');
  await orsInProcess([
    'tasks',
    'snapshot',
    server.url,
    '--env',
    'places',
    '--split',
    'test',
    '--hashes-only',
    '--out',
    file,
  ]);

  const same = await orsInProcess(['tasks', 'diff', file, server.url]);
  const other = await orsInProcess(['tasks', 'diff', server.url, file, '--split', 'train']);

  expect([same.stdout, same.code]).toEqual(['places\n  test  3 tasks, the same\nthe same tasks\n', 0]);
  expect([other.stderr, other.code]).toEqual([expect.stringContaining('no split in common'), 2]);
});

test('takes a snapshot of a module as players see it, without the output of the module', async () => {
  const folder = await mkdtemp(join('.cache', 'tasks-'));
  await using _removed = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
  const module = join(folder, 'environment.mjs');
  const code = `import { defineEnvironment } from '../../dist/src/index.js';
console.log('loading');
setInterval(() => undefined, 60_000);
export default defineEnvironment({ name: 'words', splits: { test: [{ word: 'amber', length: 5 }] },
  publicTask: ({ length }) => ({ length }), prompt: () => 'Which?', tools: { submit: { description: 'Submit it.', run: () => ({ text: 'No.' }) } } });`;
  await writeFile(module, code);

  const { stdout, stderr, code: exitCode } = await ors(['tasks', 'snapshot', module]);

  expect(parsed(stdout).slice(1)).toEqual([expect.objectContaining({ split: 'test', task: { length: 5 } })]);
  expect([stderr, exitCode]).toEqual(['loading\n', 0]);
});

const HEADER = `{"format":"ors-tasks/1","environment":"e","server":{"name":"s","version":null},"taken_at":"","complete":true,"splits":[{"name":"test","type":"test","tasks":2}]}\n`;
const line = (index: number, task: string, hash = sha256(task)) =>
  `{"split":"test","index":${index},"hash":"${hash}","task":${task}}\n`;

test.each<[string, string, string]>([
  ['is empty', '', 'is empty; create a manifest with ors tasks snapshot'],
  ['has another format', '{"hello":1}\n', 'not a manifest of tasks'],
  ['has a later format', '{"format":"ors-tasks/2"}\n', "unsupported format 'ors-tasks/2': expected ors-tasks/1"],
  ['has a first line without splits', '{"format":"ors-tasks/1"}\n', 'invalid first line'],
  ['was cut off', HEADER + line(0, '{"a":1}'), "ends after 1 of 2 tasks of split 'test'"],
  [
    'was cut off within a line',
    HEADER + line(0, '{"a":1}') + line(1, '{"a":2}').slice(0, 40),
    'line 3: not a JSON object',
  ],
  ['has a task twice', HEADER + line(0, '{"a":1}').repeat(2), 'line 3: got test 0 where the first line expects test 1'],
  [
    'has too many tasks',
    HEADER + line(0, '{}') + line(1, '{}') + line(2, '{}'),
    'line 4: got test 2 where the first line expects no more',
  ],
  ['was edited', HEADER + line(0, '{"a":1}', sha256('{"a":2}')), 'line 2: the hash does not match the task'],
])('reports a manifest that %s, and exits with 2', async (_case, text, told) => {
  await using place = await scratch();
  await writeFile(place.file('a.jsonl'), text);

  const { stdout, stderr, code } = await orsInProcess(['tasks', 'diff', place.file('a.jsonl'), place.file('a.jsonl')]);

  expect(stderr.trimEnd().split('\n')).toEqual([expect.stringContaining(told)]);
  expect([stdout, code]).toEqual(['', 2]);
});

test('accepts Unicode line separators, carriage returns and empty lines in a manifest', async () => {
  await using place = await scratch();
  await writeFile(place.file('a.jsonl'), HEADER + line(0, '{"a":"\u2028\u2029"}') + line(1, '{"a":"é"}'));
  await writeFile(
    place.file('b.jsonl'),
    `${(HEADER + line(0, '{"a":"\u2028\u2029"}') + line(1, '{"a":"é"}')).replaceAll('\n', '\r\n')}\n\n`,
  );

  const { stderr, code } = await orsInProcess(['tasks', 'diff', place.file('a.jsonl'), place.file('b.jsonl')]);

  expect([stderr, code]).toEqual(['', 0]);
});

/** Starts a server that is not ors-kit and responds with `answers`. */
async function strange(answers: Readonly<Record<string, unknown>>) {
  const server = createServer((request, response) => {
    const answer = answers[request.url ?? ''];
    if (answer === 'silence') return;
    response.writeHead(answer === undefined ? 404 : 200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(answer ?? { detail: 'not found' }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await promisify(server.close.bind(server))();
  };
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: close };
}

const STRANGE = { '/list_environments': ['odd'], '/odd/splits': ['test'], '/odd/num_tasks': { num_tasks: 3 } };
/** Placeholder for the address of such a server. */
const ODD = '<server>';

test.each<[string[], string, number]>([
  [['snapshot', 'tasks.txt'], 'is neither a URL nor a module', 1],
  [['snapshot', ODD, '--split', 'tset'], "'odd' has no split 'tset'", 1],
  [['snapshot', ODD, '--env', 'odds'], "Did you mean 'odd'?", 1],
  [['snapshot', `${ODD}/elsewhere`], 'there is no ORS server at http://127.0.0.1:', 1],
  [['diff', 'nowhere.jsonl', 'nowhere.jsonl'], "there is no file 'nowhere.jsonl'", 2],
  [['diff', '.', 'nowhere.jsonl'], 'cannot read .: it is a folder; pass a file', 2],
  [['diff', 'nowhere.jsonl'], "missing required argument 'after'", 2],
  [['diff', 'a', 'b', '--limit', 'x'], 'Expected a whole number from 0 to 1000000.', 2],
  [['diff', `${ODD}/elsewhere`, ODD], 'there is no ORS server at http://127.0.0.1:', 2],
])('ors tasks %j reports the mistake', async (args, told, expected) => {
  await using server = await strange(STRANGE);
  const named = args.map((arg) => arg.replace(ODD, server.url));

  const { stdout, stderr, code } = await orsInProcess(['tasks', ...named]);

  expect(stderr).toContain(told);
  expect([stdout, code]).toEqual(['', expected]);
});

test('requires --env if there are several environments', async () => {
  await using server = await start([places({ test: CITIES }, 'one'), places({ test: CITIES }, 'two')]);

  const { stderr, code } = await orsInProcess(['tasks', 'snapshot', server.url]);

  expect(stderr).toContain('several environments; select one with --env: one');
  expect(code).toBe(1);
});

test('leaves an existing file unchanged if the server returns fewer tasks than it counts', async () => {
  await using server = await strange({ ...STRANGE, '/odd/task_range': { tasks: [] } });
  await using place = await scratch();
  await writeFile(place.file('tasks.jsonl'), 'what was there');

  const { stderr, code } = await orsInProcess(['tasks', 'snapshot', server.url, '--out', place.file('tasks.jsonl')]);

  expect(stderr).toContain("split 'test' should have 3 tasks, and the server returned only 0");
  expect(await readFile(place.file('tasks.jsonl'), 'utf8')).toBe('what was there');
  expect([await readdir(place.folder), code]).toEqual([['tasks.jsonl'], 1]);
});

test('stops on Ctrl-C and at the timeout, and leaves no partial file', async () => {
  await using server = await strange({ ...STRANGE, '/odd/task_range': 'silence' });
  await using place = await scratch();
  const take = ['tasks', 'snapshot', server.url, '--out', place.file('tasks.jsonl')];
  await using stopped = startCommand([...ORS, ...take]);
  await until(async () => (await readdir(place.folder)).length > 0);

  stopped.child.kill('SIGINT');
  const interrupted = await stopped.result;
  const late = await orsInProcess([...take, '--timeout', '0.5']);

  expect([interrupted.stderr, interrupted.code]).toEqual(['ors: interrupted\n', 130]);
  expect([late.stderr, late.code]).toEqual([expect.stringContaining('no response within 0.5 s'), 1]);
  expect(await readdir(place.folder)).toEqual([]);
});

test('shows examples in --help', async () => {
  const texts = [await orsInProcess(['tasks', '--help']), await orsInProcess(['tasks', 'diff', '--help'])];

  expect(texts.map(({ stdout }) => stdout)).toEqual([
    expect.stringContaining('$ ors tasks snapshot http://127.0.0.1:8080 --env gsm8k --out tasks.jsonl\n'),
    expect.stringContaining('$ ors tasks diff tasks.jsonl http://127.0.0.1:8080\n'),
  ]);
});
