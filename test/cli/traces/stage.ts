import { join } from 'node:path';
import { serveTraces } from '../../../src/trace/api/index.ts';
import { readTraceLimits } from '../../../src/trace/model/index.ts';
import { createMemoryStore, openSqliteStore, type TraceStore } from '../../../src/trace/store/index.ts';
import type { CommandResult } from '../../support/command.ts';
import { type InProcessCommand, orsInProcess, startInProcess } from '../../support/command-in-process.ts';
import { newFolder, sqliteMissing } from '../../trace/store/stores.ts';

const ORG = 'default';
const LIMITS = readTraceLimits({});
/** The id that the examples of --help name. */
export const KNOWN = 'tr_01k2m3n4p5q6r7s8t9v0w1x2y3';

/** A store with traces, and how the command reaches it. */
export interface Stage extends AsyncDisposable {
  readonly store: TraceStore;
  readonly flags: readonly string[];
  /** A folder that goes with it. */
  readonly folder: string;
  /** Runs `ors traces <args>` on it. */
  traces(...args: string[]): Promise<CommandResult>;
  startTraces(...args: string[]): InProcessCommand;
  /** Adds blocks to a trace. */
  append(id: string, ...blocks: object[]): Promise<unknown>;
}

const staged = (store: TraceStore, flags: readonly string[], folder: string, close: () => Promise<void>): Stage => ({
  store,
  flags,
  folder,
  async traces(...args) {
    const { code, stdout, stderr } = await orsInProcess(['traces', ...args, ...flags]);
    return { code, stdout, stderr };
  },
  startTraces: (...args) => startInProcess(['traces', ...args, ...flags]),
  append: (id, ...blocks) => store.append(ORG, id, { body: { blocks }, limits: LIMITS }),
  [Symbol.asyncDispose]: close,
});

/** Behind a server of this process. */
export async function behindServer(options: Partial<Parameters<typeof serveTraces>[0]> = {}): Promise<Stage> {
  const folder = await newFolder();
  const store = createMemoryStore();
  const server = await serveTraces({ store, port: 0, ...options });
  return staged(store, ['--url', server.url], folder.path, async () => {
    await server.close();
    await store.close();
    await folder[Symbol.asyncDispose]();
  });
}

/** In a file, which this process has open too. */
export async function inFile(): Promise<Stage> {
  const folder = await newFolder();
  const path = join(folder.path, 'traces.db');
  const store = await openSqliteStore({ path });
  return staged(store, ['--db', path], folder.path, async () => {
    await store.close();
    await folder[Symbol.asyncDispose]();
  });
}

/** Everything that works in both places is tested in both. */
export const PLACES = [
  { place: 'behind a server', open: () => behindServer(), missing: undefined },
  { place: 'in a file', open: inFile, missing: sqliteMissing },
] as const;

export const message = (id: string, content: unknown, role = 'user') => ({
  id,
  sub_type: 'MESSAGE',
  payload: { role, content },
});
export const think = (parent: string, text: string) => ({
  sub_type: 'THINK',
  parent_block_id: parent,
  payload: { text },
});
export const call = (id: string, parent: string, name = 'get_weather') => ({
  id,
  sub_type: 'TOOL_CALL',
  parent_block_id: parent,
  payload: { call_id: id, name, arguments: { city: 'Bogotá' } },
});
export const result = (parent: string, payload: object, extra: object | null = null) => ({
  sub_type: 'TOOL_RESULT',
  parent_block_id: parent,
  payload,
  extra,
});

/** The trace `KNOWN` of the run `first-run`, finished, with a reward of 1 and a failed call. */
export async function addConversation({ store, append }: Stage): Promise<void> {
  const place = { run: 'first-run', environment: 'weather', split: 'test', model: 'some-model' };
  await store.createTrace(ORG, { id: KNOWN, ...place, name: 'a name', task_index: 3, step: 1, tags: ['good'] });
  await append(
    KNOWN,
    message('tb_1', "what's the weather?"),
    message('tb_2', [{ type: 'text', text: 'Let me look.' }], 'assistant'),
    think('tb_2', 'ask the service'),
    call('tb_3', 'tb_2'),
    result('tb_3', { delta: '22 ', seq: 0 }),
    result('tb_3', { delta: 'cloudy', seq: 2 }, { reward: 1 }),
    call('tb_4', 'tb_2', 'guess'),
    result('tb_4', { output: { ok: false, error: 'no such tool' } }),
    call('tb_5', 'tb_2', 'sleep'),
  );
  await store.updateTrace(ORG, KNOWN, { status: 'finished' });
}

/** Traces of the run `rewards` with these rewards, null for none: `tr_0`, `tr_1`... in groups of two. */
export async function addRewards({ store, append }: Stage, rewards: readonly (number | null)[]): Promise<void> {
  for (const [at, reward] of rewards.entries()) {
    const id = `tr_${at}`;
    await store.createTrace(ORG, { id, run: 'rewards', step: at % 2, group_id: `group-${Math.floor(at / 2)}` });
    if (reward !== null) await append(id, { ...message(`tb_r${at}`, 'hello'), extra: { reward } });
  }
}
