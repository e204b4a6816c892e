import { afterAll, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fixture from '../../../examples/conformance/environment.ts';
import { callsChecks } from '../../../src/conformance/checks/calls/index.ts';
import { createInputs } from '../../../src/conformance/inputs/create-inputs.ts';
import type { Result } from '../../../src/conformance/result.ts';
import { runChecks } from '../../../src/conformance/run.ts';
import {
  type CallBody,
  callOf,
  changedCalls,
  changedOutputs,
  changedResults,
  endFrame,
  endingIn,
  inputOf,
  jsonAnswer,
  outputWith,
} from '../mutants/calls/of-calls.ts';
import { QUICK_RUN, serveFixture } from '../mutants/healthy.ts';
import { changedFrames, changedJson, mutate, type Wire } from '../mutants/wire.ts';
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

const WAYS: readonly [string, Wire][] = [
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
        const data = /^event: end\ndata: (.*)\n\n$/.exec(frame)?.[1];
        if (data === undefined) return frame;
        const text = JSON.stringify(
          { took_ms: 5, ...Object.fromEntries(Object.entries(JSON.parse(data)).reverse()) },
          null,
          2,
        );
        return `event: end\ndata: ${text.replaceAll('\n', '\ndata: ')}\n\n`;
      }),
    },
  ],
  [
    'that sends every result in small chunks',
    {
      frames: changedFrames((frame) => {
        const data = /^event: end\ndata: (.*)\n\n$/.exec(frame)?.[1] ?? '';
        const pieces = data.match(/.{1,50}/gu) ?? [];
        return pieces.length === 0
          ? frame
          : pieces
              .map((piece, at) => `event: ${at < pieces.length - 1 ? 'chunk' : 'end'}\ndata: ${piece}\n\n`)
              .join('');
      }),
    },
  ],
  [
    'that refuses tools and inputs by a status',
    {
      request(request) {
        const call = callOf(request);
        if (!call || !isWrong(call)) return request;
        return jsonAnswer(checks.has(String(call.name)) ? 422 : 404, { detail: [{ msg: 'refused' }] });
      },
    },
  ],
  [
    'that refuses tools and inputs by an error event',
    {
      frames: changedFrames((frame, request) => {
        const call = callOf(request);
        return call && isWrong(call) && frame.startsWith('event: end') ? ERROR : frame;
      }),
    },
  ],
  [
    'that says nothing of errors that nobody foresaw',
    { frames: endingIn('crash', () => 'event: error\ndata: internal error\n\n') },
  ],
  [
    'that tells errors that nobody foresaw by ok false',
    { frames: endingIn('crash', () => endFrame({ ok: false, error: 'Tool execution failed: it crashed' })) },
  ],
  [
    'that mends what no server may pass on',
    { frames: endingIn('bad_output', () => endFrame({ ok: true, output: outputWith({ reward: 1 }) })) },
  ],
  [
    'that tells of what no server may pass on by ok false',
    { frames: endingIn('bad_output', () => endFrame({ ok: false, error: "Tool 'bad_output' failed: it cannot" })) },
  ],
  [
    'that refuses lone surrogates',
    { frames: endingIn('odd_text', (call) => (inputOf(call).kind === 'surrogate' ? ERROR : undefined)) },
  ],
  [
    'that forgets calls whose connection is gone',
    {
      request: changedCalls(({ name, input, task_id }) => (typeof task_id === 'string' ? { name, input } : undefined)),
    },
  ],
  [
    'whose schemas refer to their parts and have titles',
    {
      answer: changedJson(
        'tools',
        ({ tools }: { tools: Record<string, Record<string, Record<string, object>>>[] }) => ({
          tools: tools.map((tool) => {
            if (String(tool.name) !== 'nested') return tool;
            const { mode, point, ...others } = tool.input_schema?.properties ?? {};
            const properties = {
              mode: { allOf: [{ $ref: '#/$defs/Mode' }] },
              point: { $ref: '#/$defs/Point' },
              ...others,
            };
            return { ...tool, input_schema: { ...tool.input_schema, properties, $defs: { Mode: mode, Point: point } } };
          }),
        }),
      ),
    },
  ],
  [
    'whose failures begin otherwise',
    {
      frames: changedResults('fail', (result, call) =>
        result.ok ? result : { ok: false, error: `fail: ${inputOf(call).message ?? 'It failed.'}` },
      ),
    },
  ],
  [
    'that writes whole rewards without a fraction and minus zero',
    {
      frames: changedOutputs(undefined, (output) => ({ ...output, reward: output.reward === 0 ? -0 : output.reward })),
    },
  ],
];

test.each(WAYS)('a server with the fixture %s violates nothing', async (_, wire) => {
  await using server = await serveFixture();
  await using layer = await mutate(server.url, wire);

  const { results } = await runChecks(new URL(layer.url), QUICK_RUN, { checks: callsChecks, inputs, suite: 'test' });

  expect(faults(results)).toEqual([]);
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
  ['answers with an image', { image: true }, { 'type/text-block': 'n/a' }],
  ['fails at every call', { isBroken: true }, { 'call/output': 'not-testable', 'call/one-terminal-event': 'pass' }],
])('a small server that %s violates nothing', async (_, ways, expected) => {
  await using server = await serveGuess(ways);

  const options = { profiles: ['full'], timeoutMs: 5_000 } as const;
  const { results } = await runChecks(new URL(server.url), options, { checks: callsChecks, inputs, suite: 'test' });

  expect(faults(results)).toEqual([]);
  expect(Object.keys(expected).map((id) => [id, stateOf(results, id)])).toEqual(Object.entries(expected));
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
