import { afterAll, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fixture from '../../../examples/conformance/environment.ts';
import { callsChecks } from '../../../src/conformance/checks/calls/index.ts';
import { createInputs } from '../../../src/conformance/inputs/create-inputs.ts';
import { UnknownTool } from '../../../src/conformance/named-tools.ts';
import { resultsOf } from '../../../src/conformance/report/results.ts';
import type { Result } from '../../../src/conformance/result.ts';
import { runChecks } from '../../../src/conformance/run.ts';
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
} from '../mutants/calls/of-calls.ts';
import { hold } from '../mutants/hold.ts';
import { changedFrames, changedJson, type Wire } from '../mutants/wire.ts';
import { type GuessWays, serveGuess } from './guess-server.ts';

const inputs = createInputs();
afterAll(async () => {
  await inputs[Symbol.asyncDispose]();
});

const faults = (results: readonly Result[]) =>
  results
    .filter(({ state }) => state === 'fail' || state === 'warn' || state === 'harness-error')
    .map(({ check, message }) => [check, message]);

const stateOf = (results: readonly Result[], id: string) => results.find(({ check }) => check === id)?.state;

const ajv = new Ajv2020({ strict: false });
const checks = new Map(
  [...fixture.tools].map(([name, { spec }]) => [name, ajv.compile(spec.input_schema ?? { type: 'object' })]),
);

/** Whether the fixture must refuse a call for its tool or its input. */
function isWrong({ name, input }: CallBody): boolean {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  return typeof name === 'string' && isObject && name !== 'only_here' && checks.get(name)?.(input) !== true;
}

const ERROR = 'event: error\ndata: refused\n\n';

const dataOf = (frame: string): string | undefined => /^event: end\ndata: (.*)\n\n$/.exec(frame)?.[1];

/** Each way in which events and results may be written. */
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

/** The input_schema of `nested`, with its parts elsewhere. */
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

/** One layer after another. */
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
      // Text stays text here.
      let changed = frames;
      for (const wire of wires) changed = (wire.frames?.(changed, request) ?? changed) as AsyncIterable<string>;
      yield* changed;
    },
  };
}

// They wait more than they compute.
test.concurrent.each<[string, Wire, readonly string[]]>([
  ...writtenOtherwise.map(([what, wire]): [string, Wire, readonly string[]] => [what, wire, []]),
  ['that refuses by statuses and says little of faults', joined(refusedByStatus, saysLess, withReferences), []],
  [
    'that refuses by error events, tells faults by ok false and forgets calls',
    joined(refusedByEvent, saysByOkFalse, forgetful),
    ['call/disconnect'],
  ],
])('a server with the fixture %s violates nothing', async (_, wire, untestable) => {
  const results = await hold({ wire: () => wire }, callsChecks, inputs);

  expect(faults(results)).toEqual([]);
  expect(results.filter(({ state }) => state === 'not-testable').map(({ check }) => check)).toEqual(untestable);
});

test.each<[string, Partial<GuessWays>, Record<string, Result['state']>]>([
  ['refuses by statuses', {}, { 'call/missing-parameter': 'pass', 'call/exact-content': 'not-testable' }],
  ['refuses by ok false', { refusal: 'ok false' }, { 'type/failure': 'pass' }],
  ['refuses by error events', { refusal: 'error' }, { 'type/failure': 'n/a' }],
  ['has no tools but those of tasks', { isShared: false }, { 'call/output': 'pass' }],
  [
    'has no tools with parameters',
    { parameters: false },
    { 'call/missing-parameter': 'n/a', 'call/invalid-input': 'n/a' },
  ],
  [
    'has a first tool that can do nothing with made inputs',
    { takesAny: false },
    { 'call/output': 'pass', 'type/success': 'pass' },
  ],
  ['answers with an image', { image: true }, { 'type/text-block': 'n/a' }],
  ['fails at every call', { isBroken: true }, { 'call/output': 'not-testable', 'call/one-terminal-event': 'pass' }],
])('a small server that %s violates nothing', async (_, ways, expected) => {
  await using server = await serveGuess(ways);

  const options = { profiles: ['full'], timeoutMs: 5_000 } as const;
  const { results } = await runChecks(new URL(server.url), options, { checks: callsChecks, inputs, suite: 'test' });

  expect(faults(results)).toEqual([]);
  expect(Object.keys(expected).map((id) => [id, stateOf(results, id)])).toEqual(Object.entries(expected));
});

test.each<[GuessWays['fault'], string, RegExp]>([
  ['breaks', 'call/one-terminal-event', /no terminal event: after task_id, the connection broke/],
  ['lasts', 'call/one-terminal-event', /after task_id, no end within 2 s; a tool that takes longer needs --timeout/],
])('a server of which every call %s fails', async (fault, check, message) => {
  await using server = await serveGuess({ fault });

  const options = { profiles: ['core'], timeoutMs: 2_000 } as const;
  const { results } = await runChecks(new URL(server.url), options, { checks: callsChecks, inputs, suite: 'test' });

  expect(faults(results)).toContainEqual([check, expect.stringMatching(message)]);
});

test('a server of which every call is an error event shows too little to conform', async () => {
  await using server = await serveGuess({ fault: 'errors' });

  const run = await runChecks(new URL(server.url), {}, { checks: callsChecks, inputs, suite: 'test' });
  const { verdict } = resultsOf(run, { options: {}, knownChecks: [] });

  expect([verdict.outcome, verdict.exit_code]).toEqual(['incomplete', 5]);
  expect(verdict.reasons).toEqual([expect.stringContaining('give a good input by --input')]);
});

test.each([{ tools: ['nope'] }, { skipTools: ['nope'] }, { inputs: { nope: {} } }])(
  '%j names no tool',
  async (named) => {
    await using server = await serveGuess({});

    const run = runChecks(new URL(server.url), named, { checks: callsChecks, inputs, suite: 'test' });

    await expect(run).rejects.toThrow(new UnknownTool('nope', ['guess', 'hint']));
  },
);

test('a tool of the tasks alone can be named', async () => {
  await using server = await serveGuess({ isShared: false });

  const options = { tools: ['hint'] } as const;
  const { results } = await runChecks(new URL(server.url), options, { checks: callsChecks, inputs, suite: 'test' });

  expect(stateOf(results, 'call/output')).toBe('pass');
});

test('without calls of tools nothing is violated, and what needs them is not testable', async () => {
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

test('tools that were not chosen are never called', async () => {
  await using server = await serveGuess({});

  const options = { profiles: ['full'], tools: ['hint'] } as const;
  const { results } = await runChecks(new URL(server.url), options, { checks: callsChecks, inputs, suite: 'test' });

  expect(faults(results)).toEqual([]);
  expect(server.called().filter((name) => name !== 'hint' && name !== 'no_such_tool')).toEqual([]);
});
