import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from 'ors-kit';
import { OrsClient } from 'ors-kit/client';
import { type ServerOptions, serve } from 'ors-kit/server';
import { pino } from 'pino';
import {
  type Agent,
  createRunFolder,
  type EpisodeRecord,
  type FailureRecord,
  openRunFolder,
  openRunTraces,
  type RolloutOptions,
  type RolloutOutcome,
  type RunPlan,
  rollout,
} from '../../src/rollout/index.ts';
import { createStoreCall } from '../../src/trace/api/index.ts';
import { createClientForApi } from '../../src/trace/client/index.ts';
import { createLocalTraceApi } from '../../src/trace/recorder/index.ts';
import { createMemoryStore, type TraceStore } from '../../src/trace/store/index.ts';
import { newFolder } from '../trace/store/stores.ts';

const ORG = 'default';

/** Server, trace store and folder of a run. */
export interface Stage extends AsyncDisposable {
  readonly url: string;
  readonly folder: string;
  readonly store: TraceStore;
  plan(changes?: Partial<RunPlan>): RunPlan;
  /** Plays a new run, or resumes the existing one. */
  play(agent: Agent, plan?: Partial<RunPlan>, options?: Partial<RolloutOptions>): Promise<RolloutOutcome>;
  rewards(): Promise<EpisodeRecord[]>;
  failures(): Promise<FailureRecord[]>;
}

export async function openStage(
  environment: Environment,
  options: Pick<Partial<ServerOptions>, 'journal'> = {},
): Promise<Stage> {
  const log = pino({ level: 'silent' });
  const server = await serve([environment], { port: 0, log, deleteGraceMs: 50, ...options });
  const folder = await newFolder();
  const store = createMemoryStore();
  const path = join(folder.path, 'run');
  const plan = (changes: Partial<RunPlan> = {}): RunPlan => ({
    run: 'trial',
    url: server.url,
    environment: environment.name,
    split: 'test',
    tasks: [{ start: 0, stop: null }],
    samples: 1,
    agent: 'tester',
    limits: { turns: 20, tokens: null, seconds: null },
    reducer: 'sum',
    pass: 1,
    started_at: '2026-01-02T03:04:05.000Z',
    settings: {},
    ...changes,
  });
  const read = async <Row>(name: string): Promise<Row[]> => {
    const text = await readFile(join(path, name), 'utf8');
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  };
  return {
    url: server.url,
    folder: path,
    store,
    plan,
    async play(agent, changes, options) {
      const api = createLocalTraceApi(
        createStoreCall(store, () => {}),
        ORG,
      );
      await using client = createClientForApi(api, { onError: () => {} });
      await using run = await createRunFolder(path, plan(changes)).catch(() => openRunFolder(path));
      await using ors = new OrsClient(server.url, { retry: { budgetMs: 2_000 } });
      return await rollout({
        client: ors,
        folder: run,
        agent,
        traces: openRunTraces(api, client, 'trial'),
        ...options,
      });
    },
    rewards: () => read<EpisodeRecord>('rewards.jsonl'),
    failures: () => read<FailureRecord>('failures.jsonl'),
    async [Symbol.asyncDispose]() {
      await server.close();
      await store.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Returns all traces of the run. */
export const tracesOf = async (store: TraceStore) => (await store.traces(ORG, { limit: 1000 })).items;
