import { defineEnvironment } from 'ors-kit';
import { operationHandlers, type RunningServer, type ServerOptions, serve } from 'ors-kit/server';
import { pino } from 'pino';
import fixture from '../../../examples/conformance/environment.ts';
import { document } from '../../../generated/ors-document.ts';
import { operations } from '../../../generated/ors-operations.ts';
import { validators } from '../../../generated/ors-validators.ts';
import type { ConformanceOptions } from '../../../src/conformance/options.ts';
import { EventList, type EventStream, LateEvents } from '../../../src/http/index.ts';
import type { ServerSentEvent } from '../../../src/sse/index.ts';
import type { ServerFault } from './mutant.ts';

const log = pino({ level: 'silent' });

/** Heartbeat interval that a test can wait for. */
const QUICK: ServerOptions = { heartbeatMs: 400, setupAnswerMs: 200, deleteGraceMs: 100 };

const RUN: ConformanceOptions = {
  concurrency: 16,
  timeoutMs: 30_000,
  times: { heartbeatMs: 700 },
  loads: { sids: 20, malformed: 24, runningTools: 8 },
};

/** Options of a run without soak checks. */
export const QUICK_RUN: ConformanceOptions = { ...RUN, profiles: ['full', 'hostile'] };

/** The standard's long times, shortened to seconds. */
export const SHORT: ServerOptions = { idleTimeoutMs: 4_000, lingerMs: 1_500 };

/** Options of a run of the soak checks with these times. */
export const SHORT_RUN: ConformanceOptions = {
  ...RUN,
  profiles: ['soak'],
  times: { heartbeatMs: 700, idleMs: 4_000, lingerMs: 1_500 },
};

/** A second environment without task tools. */
const other = defineEnvironment({
  name: 'other',
  splits: { train: [{ word: 'one' }, { word: 'two' }] },
  prompt: ({ task }) => `Say ${task.word}.`,
  tools: {
    say: { description: 'Say the word.', run: ({ task }) => ({ text: String(task.word), reward: 1, finished: true }) },
  },
});

/** Serves the fixture with our server, optionally with a fault. */
export function serveFixture(
  { handlers: wrong, settings, environments }: ServerFault = {},
  times: ServerOptions = {},
): Promise<RunningServer> {
  const healthy = [fixture, other];
  return serve(environments?.(healthy) ?? healthy, {
    port: 0,
    log,
    ...QUICK,
    ...times,
    ...settings,
    ...(wrong && { spec: { document, operations, validators, handlers: { ...operationHandlers, ...wrong } } }),
  });
}

/** Yields the events of a call one by one, in whichever form the handler returns them. */
export async function* eventsOf(stream: unknown): AsyncGenerator<ServerSentEvent> {
  if (stream instanceof LateEvents) {
    yield* stream.first;
    yield* eventsOf(await stream.rest);
  } else if (stream instanceof EventList) {
    yield* stream.events;
  } else {
    for await (const events of stream as EventStream) yield* [events].flat();
  }
}
