import { afterAll, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fixture from '../../../examples/conformance/environment.ts';
import { serverChecks } from '../../../src/conformance/checks/index.ts';
import { createInputGenerator } from '../../../src/conformance/inputs/create-inputs.ts';
import { toConformanceResults } from '../../../src/conformance/report/results.ts';
import type { CheckRunResult } from '../../../src/conformance/result.ts';
import { runChecks } from '../../../src/conformance/run.ts';
import { matchesName } from '../../../src/conformance/select.ts';
import { UnknownToolError } from '../../../src/conformance/shared.ts';
import {
  type CallBody,
  callOf,
  changedCalls,
  changedResults,
  endFrame,
  endingIn,
  inputOf,
  jsonAnswer,
  outputWith,
} from '../mutants/calls/frames.ts';
import { hold } from '../mutants/run-mutant.ts';
import { changedFrames, changedJson, type Wire } from '../mutants/wire.ts';
import { type GuessWays, serveGuess } from './guess-server.ts';

const callsChecks = serverChecks.filter((check) => matchesName(check, ['call', 'type']));

const inputs = createInputGenerator();
afterAll(async () => {
  await inputs[Symbol.asyncDispose]();
});

const faults = (results: readonly CheckRunResult[]) =>
  results
    .filter(({ state }) => state === 'fail' || state === 'warn' || state === 'harness-error')
    .map(({ check, message }) => [check, message]);

const stateOf = (results: readonly CheckRunResult[], id: string) => results.find(({ check }) => check === id)?.state;

const ajv = new Ajv2020({ strict: false });
const checks = new Map(
  [...fixture.tools].map(([name, { spec }]) => [name, ajv.compile(spec.input_schema ?? { type: 'object' })]),
);

/** Returns true if the fixture must reject the call because of its tool or its input. */
function isWrong({ name, input }: CallBody): boolean {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  return typeof name === 'string' && isObject && name !== 'only_here' && checks.get(name)?.(input) !== true;
}

const ERROR = 'event: error\ndata: refused\n\n';

const dataOf = (frame: string): string | undefined => /^event: end\ndata: (.*)\n\n$/.exec(frame)?.[1];

/** Equivalent ways to write events and results. */
const writtenOtherwise: readonly [string, Wire][] = [
  [
    'whose events have CR LF, comments, ids and no blank after the colon',
    {
      frames: changedFrames((frame) => {
        const lines = frame.replaceAll(': ', ':').replaceAll('\n', '\r\n');
        return `:hello\r\n\r\nid:7\r\nretry:1000\r\n${lines}`;
      }),
    },
  ],
  [
    'whose results have line breaks, other keys first and further keys',
    {
      frames: changedFrames((frame) => {
        const data = dataOf(frame);
        if (data === undefined) return frame;
        const result = Object.fromEntries(Object.entries(JSON.parse(data)).reverse());
        const text = JSON.stringify({ took_ms: 5, ...result }, null, 2);
        return `event: end\ndata: ${text.replaceAll('\n', '\ndata: ')}\n\n`;
      }),
    },
  ],
  [
    'whose results come in small chunks',
    {
      frames: changedFrames((frame) => {
        const pieces = dataOf(frame)?.match(/.{1,50}/gu) ?? [];
        const event = (at: number) => (at < pieces.length - 1 ? 'chunk' : 'end');
        return pieces.length === 0
          ? frame
          : pieces.map((piece, at) => `event: ${event(at)}\ndata: ${piece}\n\n`).join('');
      }),
    },
  ],
];

const refusedByStatus: Wire = {
  request(request) {
    const call = callOf(request);
    if (!call || !isWrong(call)) return request;
    return jsonAnswer(checks.has(String(call.name)) ? 422 : 404, { detail: [{ msg: 'refused' }] });
  },
};

const refusedByEvent: Wire = {
  frames: changedFrames((frame, request) => {
    const call = callOf(request);
    return call && isWrong(call) && frame.startsWith('event: end') ? ERROR : frame;
  }),
};

/** Moves parts of the input_schema of `nested` behind references. */
const withReferences: Wire = {
  answer: changedJson('tools', ({ tools }: { tools: Record<string, Record<string, Record<string, object>>>[] }) => ({
    tools: tools.map((tool) => {
      if (String(tool.name) !== 'nested') return tool;
      const { mode, point, ...others } = tool.input_schema?.properties ?? {};
      const properties = { mode: { allOf: [{ $ref: '#/$defs/Mode' }] }, point: { $ref: '#/$defs/Point' }, ...others };
      return { ...tool, input_schema: { ...tool.input_schema, properties, $defs: { Mode: mode, Point: point } } };
    }),
  })),
};

const saysLess: Wire = joined(
  { frames: endingIn('crash', () => 'event: error\ndata: internal error\n\n') },
  { frames: endingIn('bad_output', () => endFrame({ ok: true, output: outputWith({ reward: 1 }) })) },
);

const saysByOkFalse: Wire = joined(
  { frames: endingIn('crash', () => endFrame({ ok: false, error: 'Tool execution failed: it crashed' })) },
  { frames: endingIn('bad_output', () => endFrame({ ok: false, error: "Tool 'bad_output' failed: it cannot" })) },
  { frames: endingIn('odd_text', (call) => (inputOf(call).kind === 'surrogate' ? ERROR : undefined)) },
  {
    frames: changedResults('fail', (result, call) =>
      result.ok ? result : { ok: false, error: `fail: ${inputOf(call).message || 'It failed.'}` },
    ),
  },
);

const forgetful: Wire = {
  request: changedCalls(({ name, input, task_id }) => (typeof task_id === 'string' ? { name, input } : undefined)),
};

/** Applies several layers in sequence. */
function joined(...wires: readonly Wire[]): Wire {
  return {
    async request(request) {
      let changed: Awaited<ReturnType<NonNullable<Wire['request']>>> = request;
      for (const wire of wires) if (!('status' in changed)) changed = (await wire.request?.(changed)) ?? changed;
      return changed;
    },
    async answer(answer, request) {
      let changed = answer;
      for (const wire of wires) changed = (await wire.answer?.(changed, request)) ?? changed;
      return changed;
    },
    async *frames(frames, request) {
      // None of these layers turns text into bytes.
      let changed = frames;
      for (const wire of wires) changed = (wire.frames?.(changed, request) ?? changed) as AsyncIterable<string>;
      yield* changed;
    },
  };
}

// Concurrent, since they mostly wait.
test.concurrent.each<[string, Wire, readonly string[]]>([
  ...writtenOtherwise.map(([what, wire]): [string, Wire, readonly string[]] => [what, wire, []]),
  [
    'that rejects by HTTP status and reports few details of faults',
    joined(refusedByStatus, saysLess, withReferences),
    [],
  ],
  [
    'that rejects by error event, reports faults by ok false and forgets calls',
    joined(refusedByEvent, saysByOkFalse, forgetful),
    ['call/disconnect'],
  ],
])('finds no violation in a server with the fixture %s', async (_, wire, untestable) => {
  const results = await hold({ wire: () => wire }, callsChecks, inputs);

  expect(faults(results)).toEqual([]);
  expect(results.filter(({ state }) => state === 'not-testable').map(({ check }) => check)).toEqual(untestable);
});

test.each<[string, Partial<GuessWays>, Record<string, CheckRunResult['state']>]>([
  ['rejects by HTTP status', {}, { 'call/missing-parameter': 'pass', 'call/exact-content': 'not-testable' }],
  ['rejects by ok false', { refusal: 'ok false' }, { 'type/failure': 'pass' }],
  ['rejects by error event', { refusal: 'error' }, { 'type/failure': 'n/a' }],
  ['has only task-specific tools', { isShared: false }, { 'call/output': 'pass' }],
  [
    'has no tools with parameters',
    { parameters: false },
    { 'call/missing-parameter': 'n/a', 'call/invalid-input': 'n/a' },
  ],
  [
    'has a first tool that rejects generated inputs',
    { takesAny: false },
    { 'call/output': 'pass', 'type/success': 'pass' },
  ],
  ['creates its state in the prompt', { statesInPrompt: true }, { 'call/output': 'pass', 'type/success': 'pass' }],
  [
    'has limits in its code that a refusal tells',
    { hidesLimits: true, refusal: 'ok false' },
    { 'call/output': 'pass', 'type/success': 'pass' },
  ],
  ['answers with an image', { image: true }, { 'type/text-block': 'n/a' }],
  ['fails at every call', { isBroken: true }, { 'call/output': 'not-testable', 'call/one-terminal-event': 'pass' }],
])('finds no violation in a small server that %s', async (_, ways, expected) => {
  await using server = await serveGuess(ways);

  const options = { profiles: ['full'], timeoutMs: 5_000 } as const;
  const { results } = await runChecks(new URL(server.url), options, { checks: callsChecks, inputs, suite: 'test' });

  expect(faults(results)).toEqual([]);
  expect(Object.keys(expected).map((id) => [id, stateOf(results, id)])).toEqual(Object.entries(expected));
  expect(server.callsBeforePrompt()).toBe(0);
});

test.each<[GuessWays['fault'], string, RegExp]>([
  ['breaks', 'call/one-terminal-event', /no terminal event: after task_id, the connection closed/],
  ['lasts', 'call/one-terminal-event', /after task_id, no end within 2 s; a tool that takes longer needs --timeout/],
])('fails a server on which every call %s', async (fault, check, message) => {
  await using server = await serveGuess({ fault });

  const options = { profiles: ['core'], timeoutMs: 2_000 } as const;
  const { results } = await runChecks(new URL(server.url), options, { checks: callsChecks, inputs, suite: 'test' });

  expect(faults(results)).toContainEqual([check, expect.stringMatching(message)]);
});

test('reports an incomplete run if every call returns an error event', async () => {
  await using server = await serveGuess({ fault: 'errors' });

  const run = await runChecks(new URL(server.url), {}, { checks: callsChecks, inputs, suite: 'test' });
  const { verdict } = toConformanceResults(run, { options: {}, knownChecks: [] });

  expect([verdict.outcome, verdict.exit_code]).toEqual(['incomplete', 5]);
  expect(verdict.reasons).toEqual([expect.stringContaining('pass a valid input with --input')]);
});

test('reports an incomplete run if no call is accepted', async () => {
  await using server = await serveGuess({ isBroken: true });

  const run = await runChecks(new URL(server.url), {}, { checks: callsChecks, inputs, suite: 'test' });
  const { verdict } = toConformanceResults(run, { options: {}, knownChecks: [] });

  expect([verdict.outcome, verdict.exit_code]).toEqual(['incomplete', 5]);
  expect(verdict.reasons).toEqual([expect.stringContaining('no call was accepted')]);
});

test.each([{ tools: ['nope'] }, { skipTools: ['nope'] }, { inputs: { nope: {} } }])(
  'rejects the unknown tool in %j',
  async (named) => {
    await using server = await serveGuess({});

    const run = runChecks(new URL(server.url), named, { checks: callsChecks, inputs, suite: 'test' });

    await expect(run).rejects.toThrow(new UnknownToolError('nope', ['guess', 'hint']));
  },
);

test('accepts the name of a task-specific tool', async () => {
  await using server = await serveGuess({ isShared: false });

  const options = { tools: ['hint'] } as const;
  const { results } = await runChecks(new URL(server.url), options, { checks: callsChecks, inputs, suite: 'test' });

  expect(stateOf(results, 'call/output')).toBe('pass');
});

test('finds no violation without tool calls, and reports the checks that need them as not testable', async () => {
  await using server = await serveGuess({});

  const options = { profiles: ['full'], noToolCalls: true } as const;
  const { results, used } = await runChecks(new URL(server.url), options, {
    checks: callsChecks,
    inputs,
    suite: 'test',
  });

  expect(faults(results)).toEqual([]);
  expect(used.calls).toBe(0);
  expect(stateOf(results, 'call/unknown-tool')).toBe('not-testable');
  expect(stateOf(results, 'type/tool-list')).toBe('pass');
});

test('never calls tools that are not selected', async () => {
  await using server = await serveGuess({});

  const options = { profiles: ['full'], tools: ['hint'] } as const;
  const { results } = await runChecks(new URL(server.url), options, { checks: callsChecks, inputs, suite: 'test' });

  expect(faults(results)).toEqual([]);
  expect(server.called().filter((name) => name !== 'hint' && name !== 'no_such_tool')).toEqual([]);
});
