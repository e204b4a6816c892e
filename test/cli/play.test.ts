import { spawnSync } from 'node:child_process';
import { beforeAll, expect, test } from '@jest/globals';
import { defineEnvironment, jsonSchema } from 'ors-kit';
import maze from '../../examples/maze/environment.ts';
import { quiz } from '../bridges/quiz.ts';
import { request, start } from '../support/client.ts';
import { ORS, startCommand } from '../support/command.ts';
import { orsInProcess } from '../support/command-in-process.ts';
import { hostile } from '../support/hostile-texts.ts';
import { lab } from '../support/lab.ts';
import { loadExpress } from '../support/load-express.ts';
import { testUnless } from '../support/optional.ts';
import { until } from '../support/until.ts';

beforeAll(loadExpress);

const lines = (...all: readonly string[]) => all.map((line) => `${line}\n`).join('');
const NEW = ['--split', 'train', '--index', '0'] as const;

/** Environment with a tool that has a parameter of every kind and returns its input as text. */
const kinds = defineEnvironment({
  name: 'kinds',
  splits: { train: [{}] },
  prompt: () => 'Give me everything.',
  tools: {
    give: {
      description: 'Give all.',
      input: jsonSchema<object>({
        type: 'object',
        properties: {
          word: { type: 'string', description: 'Any word.', maxLength: 40 },
          side: { enum: ['left', 'right'] },
          times: { type: 'integer', minimum: 1, default: 1 },
          is_last: { type: 'boolean' },
          point: { $ref: '#/$defs/point' },
          note: { type: 'string' },
        },
        required: ['word', 'side', 'is_last', 'point'],
        $defs: { point: { type: 'array', items: { type: 'number' }, minItems: 2 } },
      }),
      run: ({ input }) => ({ text: JSON.stringify(input), reward: 0.1, finished: false }),
    },
    stop: { description: 'Stop.', run: () => ({ text: 'Over.', reward: 0.2, finished: true }) },
  },
});

test('plays a whole episode: chooses an environment, calls tools, prints a summary', async () => {
  await using server = await start([lab().environment, kinds]);
  const point = '[1, 2]';
  const first = ['give', '"""', 'two', 'lines', '"""', 'left', '', 'true', point, ''];
  const second = ['1', '', 'word', 'up', '2', 'none', '0', '3', 'yes', 'false', '[1]', point, '5'];

  const { stdout, stderr, code } = await orsInProcess(['play', server.url], {
    input: lines('kinds', ...first, ...second, 'stop'),
  });

  expect(stdout).toContain(
    '  1  lab\n  2  kinds\nenvironment (Enter: lab)? kinds\nkinds, train 0\n\nGive me everything.\n',
  );
  expect(stdout).toContain('{"word":"two\\nlines","side":"left","is_last":true,"point":[1,2]');
  expect(stdout).toContain('{"word":"word","side":"right","times":3,"is_last":false,"point":[1,2],"note":"5"}');
  expect(stdout).toContain('reward 0.1 · total 0.1\n');
  expect(stdout).toContain('Over.\nreward 0.2 · total 0.4 · finished\n');
  expect(stdout).toContain('The episode is finished: 3 calls, rewards 0.1, 0.1, 0.2, total 0.4.\n');
  expect(stdout).toContain(`Again: ors play ${server.url} kinds --split train --index 0\n`);
  expect([stderr, code]).toEqual(['', 0]);
  for (const told of [
    '  Any word.\n  word (string, at most 40 characters, required): ',
    '  word is required; write "" for an empty text\n',
    "  side must be one of 'left', 'right'\n",
    "  times (integer, at least 1, default 1): none\n  times must be an integer; 'none' is not\n",
    '  times must be at least 1\n',
    "  is_last must be true or false; 'yes' is not\n",
    '  point must have at least 2 items\n',
    '  note (string, optional, Enter skips it): ',
  ]) {
    expect(stdout).toContain(told);
  }
});

test('saves pictures, and lists the tools of the task', async () => {
  await using server = await start(maze);

  const { stdout } = await orsInProcess(['play', server.url, '--split', 'test', '--index', '0'], {
    input: lines('compass', '?', 'p', 'move', '4', '', 'q'),
  });

  expect(stdout).toContain('  2  compass  Returns the direction');
  expect(stdout.match(/\[image\/png saved as \S+\.png\]/g)).toHaveLength(3);
  expect(stdout).toContain('You left, and the episode is deleted: 2 calls, rewards ');
});

test('reports a refusal and a crash, and continues the episode', async () => {
  const { environment, events } = lab();
  await using server = await start([environment, hostile()]);

  const [refused, crashed] = await Promise.all([
    orsInProcess(['play', server.url, 'lab', ...NEW], { input: lines('fail', 'nothing', 'finish') }),
    orsInProcess(['play', server.url, 'hostile', ...NEW], {
      input: lines('refuse', 'crash', '?', 'speak', '', '', 'q'),
    }),
  ]);

  expect(refused.stdout).toContain(
    "rejected: Tool 'fail' failed: File not found\n\ntool? nothing\n  there is no tool 'nothing'\n",
  );
  expect(refused.stdout).toContain('The episode is finished: 2 calls, reward 1, total 1.\n');
  expect(crashed.stdout).toMatch(/failed: .*harmless.*; the environment's author can see more in the server's log\n/);
  expect(crashed.stdout).toContain('reward 0.1 · total 0.1\n');
  expect(crashed.stdout + crashed.stderr).not.toMatch(/[^\P{Cc}\t\n]/u);
  expect(events).toEqual(['setup', 'teardown']);
});

test('shows a conversation, and submits the final message with the command answer', async () => {
  await using server = await start(quiz);

  const { stdout, stderr, code } = await orsInProcess(['play', server.url, ...NEW], {
    input: lines('?', 'look.up', 'sum', 'answer', 'two', 'answer', '"""', ' 2', '"""'),
  });

  expect(stdout).toMatch(/\[system\]\nBe brief\.\n\[user\]\nWhat is 1 \+ 1\?\n/);
  expect(stdout).toContain('  answer: submit the final message, which ends the episode\n');
  expect(stdout).toContain('  final message\n    graded by grade\n      Grades the answer.\n');
  expect(stdout).toMatch(/ {2}final message: two\nrejected \(input_validation\): Tool 'grade' failed: /);
  expect(stdout).toContain('Graded.\nreward 1 · total 1.25 · finished\n');
  expect(stdout).toContain('The episode is finished: 3 calls, rewards 0.25, 1, total 1.25.\n');
  expect([stderr, code]).toEqual(['', 0]);
});

test('ends with the answer even if the environment does not finish', async () => {
  const patient = defineEnvironment({
    name: 'patient',
    splits: { train: [{}] },
    prompt: () => 'Speak.',
    tools: {
      answer: { description: 'Not the command.', run: () => ({ text: 'called' }) },
      rate: { description: 'Rate the episode.', terminal: true, run: () => ({ text: 'Rated.', reward: 0.5 }) },
    },
  });
  await using server = await start(patient);

  const { stdout } = await orsInProcess(['play', server.url, ...NEW], { input: lines('"answer"', 'answer', 'q') });

  expect(stdout).toContain('\ntool? "answer"\ncalled\n');
  expect(stdout).toContain('\ntool? answer\nRated.\nreward 0.5 · total 0.5\n\nYour answer is submitted: 2 calls, ');
});

test('calls a tool that is named like a command or a number by its name in quotes', async () => {
  const say = (text: string) => ({ description: `Say ${text}.`, run: () => ({ text: `said ${text}` }) });
  const names = defineEnvironment({
    name: 'names',
    splits: { train: [{}] },
    prompt: () => 'Call.',
    tools: { q: say('quit'), p: say('prompt'), first: say('one'), '1': say('digit') },
  });
  await using server = await start(names);

  const { stdout } = await orsInProcess(['play', server.url, ...NEW], {
    input: lines('"q"', 'p', '"p"', '"1"', 'first', '2', 'q', 'first'),
  });

  expect(stdout).toContain('  write the name in double quotes if a tool has the name of a command or number\n');
  expect(stdout).toContain('tool? p\nCall.\n');
  expect(stdout.match(/said \w+/g)).toEqual(['said quit', 'said prompt', 'said digit', 'said one', 'said quit']);
  expect(stdout).toContain('You left, and the episode is deleted: 5 calls, ');
});

test.each(['q\n', '1\nq\n'])('leaves at the questions before the episode with q: %j', async (input) => {
  const { environment, events } = lab();
  await using server = await start(environment);

  const { code, stdout } = await orsInProcess(['play', server.url], { input });

  expect([code, events]).toEqual([0, []]);
  expect(stdout).toContain('\nYou left before the episode began; nothing was played.\n');
  expect(stdout).not.toContain('invalid');
});

test('ends the episode at the end of the input', async () => {
  const { environment, events } = lab();
  await using server = await start(environment);

  const [early, inQuestion, late] = await Promise.all([
    orsInProcess(['play', server.url], { input: 'trai' }),
    orsInProcess(['play', server.url, 'lab', ...NEW], { input: 'echo\nword\n' }),
    orsInProcess(['play', server.url, 'lab', ...NEW], { input: 'count\n' }),
  ]);

  expect(early.stdout).toContain('\nYou left before the episode began; nothing was played.\n');
  expect(inQuestion.stdout).toContain('\nYou left, and the episode is deleted: 0 calls, no rewards.\n');
  expect(late.stdout).toContain('\nYou left, and the episode is deleted: 1 call, no rewards.\n');
  expect([early.code, inQuestion.code, late.code]).toEqual([0, 0, 0]);
  expect(events.sort()).toEqual(['setup', 'setup', 'teardown', 'teardown']);
});

test('deletes the episode if a signal interrupts a call, and exits with the code of the signal', async () => {
  const { environment, events } = lab();
  await using server = await start(environment);
  using command = startCommand([...ORS, 'play', server.url, 'lab', ...NEW]);

  command.child.stdin?.write('count\nuntil_aborted\n');
  await until(() => events.includes('start until_aborted'));
  command.child.kill('SIGTERM');
  const { code, stdout, stderr } = await command.result;

  expect(stdout).toContain('\nYou left, and the episode is deleted: 1 call, no rewards.\n');
  expect([code, stderr]).toEqual([143, 'ors: interrupted\n']);
  expect(events).toContain('teardown');
});

test('reports at the next call that the episode is gone', async () => {
  const sids: string[] = [];
  const { environment } = lab({ setup: ({ sessionId }) => sids.push(sessionId) });
  await using server = await start(environment);
  await using command = startCommand([...ORS, 'play', server.url, 'lab', ...NEW]);

  await until(() => command.said().includes('tool? '));
  await request(server, 'POST', '/delete', { sid: sids[0] ?? '' });
  command.child.stdin?.write('count\n');
  const { code, stderr } = await command.result;

  expect(stderr).toMatch(/^ors: session \S+ is gone: .*; open a new one with --split and --index, or --task\n$/);
  expect(code).toBe(1);
});

const hasScript = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') === true;
const noScript = hasScript ? undefined : 'play on a terminal needs `script` of util-linux; install it';

testUnless(noScript)('prints colours on a terminal, and leaves on Ctrl-C', async () => {
  const { environment, events } = lab();
  await using server = await start(environment);
  const line = [...ORS, 'play', server.url, 'lab', ...NEW].map((word) => `'${word}'`).join(' ');
  using command = startCommand(['script', '-qec', line, '/dev/null'], { TERM: 'xterm' });
  const asked = (question: string, times: number) => () => command.said().split(question).length > times;

  await until(asked('tool? ', 1));
  command.child.stdin?.write('count\r');
  await until(asked('tool? ', 2));
  command.child.stdin?.write('\x03');
  const { code, stdout } = await command.result;

  expect(stdout).toContain('\x1b[36mcount\x1b[39m  Count.\r\n');
  expect(stdout).toContain('\r\n1\r\n\x1b[33mno reward · total 0\x1b[39m\r\n');
  expect(stdout).toContain('You left, and the episode is deleted: 1 call, no rewards.\r\n');
  expect(code).toBe(130);
  expect(events).toEqual(['setup', 'teardown']);
});
