import { defineEnvironment } from 'ors-kit';
import { handlers, type RunningServer, type ServerOptions, serve } from 'ors-kit/server';
import { pino } from 'pino';
import fixture from '../../../examples/conformance/environment.ts';
import { document } from '../../../generated/ors-document.ts';
import { operations } from '../../../generated/ors-operations.ts';
import { validators } from '../../../generated/ors-validators.ts';
import type { ConformanceOptions } from '../../../src/conformance/options.ts';
import type { ServerFault } from './mutant.ts';

const log = pino({ level: 'silent' });

/** The standard's times, shortened so that a soak takes seconds. */
const SHORT: ServerOptions = {
  idleTimeoutMs: 4_000,
  lingerMs: 1_500,
  heartbeatMs: 400,
  setupAnswerMs: 200,
  deleteGraceMs: 100,
};

/** What the suite must know of such a server. */
export const SHORT_RUN: ConformanceOptions = {
  profiles: ['full', 'soak', 'hostile'],
  concurrency: 16,
  timeoutMs: 12_000,
  times: { idleMs: 4_000, lingerMs: 1_500, heartbeatMs: 700 },
  loads: { sids: 50, malformed: 60, runningTools: 32 },
};

/** An environment beside the fixture, without tools of its tasks. */
const other = defineEnvironment({
  name: 'other',
  splits: { train: [{ word: 'one' }, { word: 'two' }] },
  prompt: ({ task }) => `Say ${task.word}.`,
  tools: {
    say: { description: 'Say the word.', run: ({ task }) => ({ text: String(task.word), reward: 1, finished: true }) },
  },
});

/** Our server with the fixture, as it is, or with a fault. */
export function serveFixture({ handlers: wrong, settings, environments }: ServerFault = {}): Promise<RunningServer> {
  const healthy = [fixture, other];
  return serve(environments?.(healthy) ?? healthy, {
    port: 0,
    log,
    ...SHORT,
    ...settings,
    ...(wrong && { spec: { document, operations, validators, handlers: { ...handlers, ...wrong } } }),
  });
}
