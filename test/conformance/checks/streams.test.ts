import type { ServerResponse } from 'node:http';
import { afterAll, expect, test } from '@jest/globals';
import { serverChecks } from '../../../src/conformance/checks/index.ts';
import { createInputGenerator } from '../../../src/conformance/inputs/create-inputs.ts';
import type { ConformanceOptions } from '../../../src/conformance/options.ts';
import type { CheckRunResult, CheckState } from '../../../src/conformance/result.ts';
import { runChecks } from '../../../src/conformance/run.ts';
import { matchesName } from '../../../src/conformance/select.ts';
import { QUICK_RUN, serveFixture } from '../mutants/healthy.ts';
import { callOf, eventOf, frameOf, recut, resultFrames } from '../mutants/streams/frames.ts';
import { changedFrames, mutate, type Wire, type WireAnswer } from '../mutants/wire.ts';

const streamsChecks = serverChecks.filter((check) => matchesName(check, ['sse', 'chunk', 'resume', 'hostile']));

const inputs = createInputGenerator();
afterAll(async () => {
  await inputs[Symbol.asyncDispose]();
});

/** Slow checks, whose results do not depend on the variations below. */
const HEAVY = [
  'chunk/ten-megabytes',
  'sse/slow-reader',
  'sse/stalled-reader',
  'hostile/stuck-readers',
  'hostile/oversized-body',
];

const check = async (url: string, options: ConformanceOptions) =>
  (await runChecks(new URL(url), options, { checks: streamsChecks, inputs, suite: 'test' })).results;

const faults = (results: readonly CheckRunResult[]) =>
  results
    .filter(({ state }) => state === 'fail' || state === 'warn' || state === 'harness-error')
    .map(({ check, message }) => [check, message]);

const statesOf = (results: readonly CheckRunResult[], ids: readonly string[]) =>
  Object.fromEntries(ids.map((id) => [id, results.find(({ check }) => check === id)?.state]));

const GROUPS = ['sse', 'chunk', 'resume', 'hostile'] as const;
type Group = (typeof GROUPS)[number];

/** Ways to conform, with the groups of checks that they concern. */
const WAYS: readonly [way: string, groups: readonly Group[], wire: () => Wire, states: Record<string, CheckState>][] = [
  [
    'whose lines end in CR LF, with ids, comments between them and no blank after a colon',
    ['sse', 'chunk', 'resume'],
    () => ({
      frames: changedFrames((frame) =>
        `: hello\n\nid: 7\nretry: 1000\n${frame.replace('\n', '\n: still here\n')}`
          .replace(/: /g, ':')
          .replace(/\n/g, '\r\n'),
      ),
    }),
    { 'sse/well-formed': 'pass', 'sse/heartbeats-are-comments': 'pass' },
  ],
  [
    'whose streams begin with a byte-order mark, and whose lines end in CR',
    ['sse', 'chunk'],
    () => ({
      async *frames(frames) {
        yield '\ufeff';
        for await (const frame of frames) yield frame.replaceAll('\n', '\r');
      },
    }),
    { 'sse/well-formed': 'pass', 'chunk/one-megabyte': 'pass' },
  ],
  [
    'that sends each stream byte by byte',
    ['sse', 'chunk'],
    () => ({
      async *frames(frames) {
        for await (const frame of frames) {
          if (frame.length > 1_000) yield frame;
          else for (const byte of Buffer.from(frame)) yield new Uint8Array([byte]);
        }
      },
    }),
    { 'sse/task-id-at-once': 'pass', 'sse/heartbeat': 'pass' },
  ],
  [
    'that escapes all but ASCII, and cuts at 3000 characters, within escapes too',
    ['chunk', 'resume'],
    () => ({
      frames: recut((data) => {
        const text = data.join('').replace(/[^\x21-\x7e]/g, escaped);
        return resultFrames(text.length > 4_096 ? (text.match(/.{1,3000}/g) ?? []) : [text]);
      }),
    }),
    { 'chunk/whole-characters': 'pass', 'chunk/no-leading-space': 'pass', 'chunk/end-has-data': 'pass' },
  ],
  [
    'that tells a crash by ok false',
    ['sse', 'resume'],
    () => ({
      frames: changedFrames((frame, request) => {
        const { event, data } = eventOf(frame) ?? {};
        const isCrash = event === 'error' && callOf(request)?.name === 'crash';
        return isCrash ? frameOf('end', JSON.stringify({ ok: false, error: data })) : frame;
      }),
    }),
    { 'sse/nothing-after-error': 'n/a', 'sse/error-is-text': 'n/a', 'sse/task-id-before-error': 'n/a' },
  ],
  [
    'that knows no task_ids but its own, and tells others by 404',
    ['sse', 'resume'],
    () => {
      const issued = new Set<string>();
      return {
        request: (request) => {
          const taskId = callOf(request)?.task_id;
          return taskId && !issued.has(taskId) ? notFound : request;
        },
        frames: changedFrames((frame) => {
          const { event, data } = eventOf(frame) ?? {};
          if (event === 'task_id' && data) issued.add(data);
          return frame;
        }),
      };
    },
    { 'resume/altered-id': 'pass', 'resume/task-id-before-unknown': 'n/a', 'resume/chosen-id': 'n/a' },
  ],
  [
    'that repeats results with their keys in another order',
    ['resume'],
    () => ({
      frames: changedFrames((frame, request) => {
        const { event, data = '' } = eventOf(frame) ?? {};
        if (event !== 'end' || !callOf(request)?.task_id || !data.startsWith('{')) return frame;
        return frameOf(event, JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(data)).reverse())));
      }),
    }),
    { 'resume/same-result': 'pass', 'resume/replay': 'pass' },
  ],
  [
    'that closes each connection after a response, drops malformed HTTP, and never sends 100 Continue',
    ['sse', 'hostile'],
    () => ({
      server: (server) => {
        server.prependListener('request', (_request, response: ServerResponse) => {
          response.shouldKeepAlive = false;
        });
        server.on('clientError', (_error, socket) => socket.destroy());
        server.on('checkContinue', (request, response) => server.emit('request', request, response));
      },
    }),
    {
      'sse/connection-reusable': 'n/a',
      'hostile/malformed-http': 'pass',
      'hostile/pipelined': 'pass',
      'hostile/expect-continue': 'pass',
    },
  ],
];

// Concurrent, since they mostly wait.
test.concurrent.each(WAYS)('finds no violation in a server %s', async (_way, groups, wire, states) => {
  await using server = await serveFixture();
  await using layer = await mutate(server.url, wire());

  const skip = [...HEAVY, ...GROUPS.filter((group) => !groups.includes(group))];
  const results = await check(layer.url, { ...QUICK_RUN, skip });

  expect(faults(results)).toEqual([]);
  expect(statesOf(results, Object.keys(states))).toEqual(states);
});

test('checks any stream without the fixture, and reports the checks that need it as not testable', async () => {
  await using server = await serveFixture();

  const results = await check(server.url, { ...QUICK_RUN, environment: 'other', skip: HEAVY });

  expect(faults(results)).toEqual([]);
  const states = { 'sse/well-formed': 'pass', 'resume/same-result': 'pass', 'resume/replay': 'not-testable' };
  expect(statesOf(results, Object.keys(states))).toEqual(states);
});

test('finds no violation without tool calls, and still runs the hostile clients', async () => {
  await using server = await serveFixture();

  const results = await check(server.url, { ...QUICK_RUN, noToolCalls: true, skip: HEAVY });

  expect(faults(results)).toEqual([]);
  const states = {
    'sse/well-formed': 'not-testable',
    'resume/replay': 'not-testable',
    'hostile/malformed-http': 'pass',
  };
  expect(statesOf(results, Object.keys(states))).toEqual(states);
});

test('uses two sessions and three calls for the stream checks of core, in addition to the shared ones', () => {
  const core = streamsChecks.filter(({ profile }) => profile === 'core' || profile === 'discovery');

  const sum = (kind: 'sessions' | 'calls') => core.reduce((total, { cost }) => total + (cost?.[kind] ?? 0), 0);

  expect([sum('sessions'), sum('calls')]).toEqual([2, 3]);
});

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

const notFound: WireAnswer = {
  status: 404,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('{"detail":"unknown task_id"}'),
};
