import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@jest/globals';
import { play } from 'ors-kit/testing';
import environment from '../../examples/javascript/environment.ts';
import { runInSandbox } from '../../examples/javascript/sandbox.ts';
import { type CodingTask, testTasks, trainTasks } from '../../examples/javascript/tasks.ts';

const tasks = [...trainTasks, ...testTasks].map((task): [string, CodingTask] => [task.function_name, task]);
const signal = new AbortController().signal;
const run = (code: string, calls: CodingTask['tests'][number]['args'][] = [[]]) =>
  runInSandbox({ code, functionName: 'f', calls }, signal);
const runFor = (milliseconds: number, code: string) =>
  runInSandbox({ code, functionName: 'f', calls: [[]], milliseconds }, signal);
/** With more time than it needs on a busy machine. */
const runInPeace = (code: string) => runFor(50_000, code);

test.each(tasks)('%s: the solution passes every example and every hidden test', async (functionName, task) => {
  const checks = [...task.examples, ...task.tests];

  const calls = checks.map(({ args }) => args);
  const outcomes = await runInSandbox({ code: task.solution, functionName, calls }, signal);

  expect(outcomes.map((outcome) => ('json' in outcome ? JSON.parse(outcome.json) : outcome))).toEqual(
    checks.map(({ expected }) => expected),
  );
});

test.each(tasks)('%s: no hidden test is shown, or expects what JSON makes of unfit values', (_name, task) => {
  for (const hidden of task.tests) {
    expect(task.examples.some((shown) => isDeepStrictEqual(shown, hidden))).toBe(false);
    expect([{}, null]).not.toContainEqual(hidden.expected);
  }
});

test('the start of the thread does not count as time of the code', async () => {
  const program = { code: 'const f = () => 1', functionName: 'f', calls: [[]], milliseconds: 40 };

  // A thread starts in more than three times the timeout of its calls. On a busy machine a call may exceed it as well.
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => runInSandbox(program, signal)));

  expect(outcomes).toContainEqual([{ json: '1' }]);
});

test.each([
  ['an endless loop', 'function f() { while (true) {} }', 'took longer than'],
  ['an endless loop outside of the function', 'for (;;) {}', 'took longer than'],
  [
    'a loop that catches its end',
    'function f() { for (;;) try { for (;;) {} } catch { continue } }',
    'took longer than',
  ],
  ['a regular expression that explodes', 'const f = () => /(a+)+$/.test("a".repeat(40) + "b")', 'took longer than'],
  ['a getter that never ends', 'const f = () => ({ get a() { for (;;) {} } })', 'took longer than'],
  ['an error that never ends', 'function f() { throw { toString() { for (;;) {} } } }', 'took longer than'],
  ['a list without an end', 'const f = () => new Proxy([], { get: () => 1e9 })', ''],
  ['a search that cannot be interrupted', 'const f = () => [].indexOf.call({ length: 2 ** 53 - 1 }, 1)', 'stopped'],
])('%s has an end, and is a failure of the code, not of the sandbox', async (_name, code, reason) => {
  const [outcome] = await runFor(200, code);

  expect(outcome).toEqual({ error: expect.stringContaining(reason) });
});

test.each([
  ['a memory bomb', 'function f() { const a = []; for (;;) a.push("x".repeat(1e5) + a.length) }', 'out of memory'],
  ['a memory bomb of small objects', 'function f() { const a = []; for (;;) a.push({ a }) }', 'ran out of memory'],
  ['a buffer beyond the memory', 'const f = () => new ArrayBuffer(1e9).byteLength', 'out of memory'],
  ['a string bomb', 'function f() { let s = "x"; for (;;) s += s }', 'InternalError'],
  ['huge output', 'const f = () => "x".repeat(2e6)', 'returned over 100000 characters'],
  ['a huge error', 'function f() { throw new Error("x".repeat(2e6)) }', 'an error that is too long'],
  ['deep recursion', 'function f() { return f() + 1 }', 'stack overflow'],
  ['deep nesting', 'const f = () => JSON.parse("[".repeat(1e6))', 'stack overflow'],
  [
    'an error that cannot be read',
    'function f() { throw new Proxy({}, { get() { throw 1 } }) }',
    'an error without a message',
  ],
  ['a list that contains itself', 'function f() { const a = []; a.push(a); return a }', 'circular reference'],
  ['nothing', 'const f = () => {}', 'returned undefined, not JSON'],
  ['a module', 'export const f = () => 1', 'SyntaxError'],
  ['an import', 'import fs from "node:fs"; const f = () => 1', 'SyntaxError'],
  ['another function', 'const g = () => 1', "does not define the function 'f'"],
])('%s is a failure of the code, not of the sandbox', async (_name, code, reason) => {
  const [outcome] = await runInPeace(code);

  expect(outcome).toEqual({ error: expect.stringContaining(reason) });
});

test('gives code no access to the machine', async () => {
  const names = [
    'process',
    'require',
    'module',
    'fetch',
    'setTimeout',
    'WebAssembly',
    'Worker',
    'std',
    'os',
    'scriptArgs',
  ];
  const code = `const f = (names) => names.filter((name) => typeof (0, eval)('this')[name] !== 'undefined')`;

  expect(await run(code, [[names]])).toEqual([{ json: '[]' }]);
});

test('keeps no state from one call to the next', async () => {
  const code =
    'globalThis.count = (globalThis.count ?? 0) + 1; Object.prototype.seen ??= []; const f = (x) => (seen.push(x), [count, seen])';

  expect(await run(code, [['one'], ['two']])).toEqual([{ json: '[1,["one"]]' }, { json: '[1,["two"]]' }]);
});

test('keeps the results of earlier calls when a call is aborted', async () => {
  const code = 'const f = (isLast) => isLast ? [].indexOf.call({ length: 2 ** 53 - 1 }, 1) : "fine"';

  const outcomes = await run(code, [[false], [true], [false]]);

  expect(outcomes).toEqual([{ json: '"fine"' }, { error: expect.any(String) }, { error: expect.any(String) }]);
});

test('stops the code of a deleted episode', async () => {
  const deleted = new AbortController();
  const running = runInSandbox({ code: 'for (;;) {}', functionName: 'f', calls: [[], [], []] }, deleted.signal);

  deleted.abort();

  expect(await running).toHaveLength(3);
});

test.each([
  ['another JSON.stringify', 'JSON.stringify = () => "0"; const add = () => [];'],
  ['another JSON.parse', 'JSON.parse = () => 0; const add = () => "0";'],
  ['another Array.prototype.toString', 'Array.prototype.toString = () => "0"; const add = () => [1];'],
  ['values that compare as anything', 'const add = () => ({ valueOf: () => 0, [Symbol.toPrimitive]: () => 0 });'],
  ['an outcome in place of a result', 'const add = () => ({ json: "0", passed: true, expected: 0, outcome: {} });'],
  [
    'a polluted prototype',
    'Object.assign(Object.prototype, { json: "0", passed: true, expected: {} }); const add = () => ({});',
  ],
  ['a prototype in the result', `const add = () => JSON.parse('{"__proto__": {"passed": true, "json": "0"}}');`],
  ['a proxy', 'const add = () => new Proxy({}, { get: () => 0, has: () => true, ownKeys: () => [] });'],
  ['a getter for the function itself', 'Object.defineProperty(globalThis, "add", { get() { throw 0 } });'],
  [
    'other built-in methods',
    'Function.prototype.call = Array.prototype.map = String = () => 0; const add = () => ({});',
  ],
  ['one parameter for another', 'const add = (...args) => args;'],
])('%s earns nothing', async (_name, code) => {
  await using episode = await play(environment, { split: 'train', index: 0 });

  const output = await episode.call('submit', { code });

  expect(output).toMatchObject({ reward: 0, finished: true, text: '0 of 5 hidden tests passed.' });
});

test('hides the arguments of hidden tests from a submission that throws them', async () => {
  await using episode = await play(environment, { split: 'train', index: 0 });

  const output = await episode.call('submit', { code: 'function add(...args) { throw new Error("args " + args); }' });

  expect(JSON.stringify(output)).not.toMatch(/args|-5|1000000/);
});

test('grades an episode of a listed task by its hidden tests', async () => {
  const { tests: _tests, solution, ...shown } = testTasks[3] as CodingTask;
  await using episode = await play(environment, { task: shown });

  const output = await episode.call('submit', { code: solution });

  expect(output.reward).toBe(1);
});
