import { defineEnvironment, type Environment, jsonSchema } from 'ors-kit';
import { openJournal } from 'ors-kit/journal';
import type { Journal, RunningServer, ServerOptions } from 'ors-kit/server';
import { abortable, deferred } from '../../src/core/index.ts';
import { call, create, start } from '../support/client.ts';
import { until } from '../support/until.ts';

/** A database for journals. */
export interface JournalDatabase {
  /** Location of an empty database. */
  newLocation(): Promise<string>;
  /** Runs an SQL statement. */
  run(location: string, sql: string): Promise<unknown>;
}

interface Walk {
  at: number;
  readonly luck: number;
  readonly born: number;
}

const BY = jsonSchema<{ by: number }>({ type: 'object', properties: { by: { type: 'number' } }, required: ['by'] });

interface WalkOptions {
  /** Holds the calls of `wait`, `retry` and `patient`. */
  readonly gate?: Promise<void>;
  /** Called when one of them begins. */
  readonly onWait?: () => void;
  readonly drift?: number;
  readonly getTask?: () => Promise<{ start: number }>;
}

/** An environment whose results contain everything that differs between runs. */
export function walk(options: WalkOptions = {}): Environment {
  const { gate = Promise.resolve(), onWait = () => {}, drift = 0, getTask } = options;
  const step = (state: Walk, by: number) => {
    state.at += by + drift;
    return { text: JSON.stringify(state), reward: by };
  };
  const wait = async ({ signal }: { readonly signal: AbortSignal }) => {
    onWait();
    await abortable(signal, () => gate);
    return { text: 'waited' };
  };
  return defineEnvironment({
    name: 'lab',
    durability: 'replay',
    splits: { train: getTask ? { count: 1, get: getTask } : [{ start: 3 }] },
    task: jsonSchema<{ start: number }>({ type: 'object', properties: { start: { type: 'number' } } }),
    setup: ({ task, random, now }): Walk => ({ at: task.start, luck: random(), born: now }),
    prompt: () => 'Walk.',
    tools: {
      step: { description: 'Walks.', input: BY, run: ({ input, state }) => step(state, input.by) },
      look: { description: 'Looks.', concurrent: true, run: ({ state }) => ({ text: JSON.stringify(state) }) },
      draw: { description: 'Draws.', run: ({ random, now }) => ({ text: JSON.stringify([random(), random(), now]) }) },
      fail: {
        description: 'Fails.',
        run: ({ state }) => {
          state.at += 100;
          throw new Error('broken');
        },
      },
      wait: { description: 'Waits.', concurrent: true, run: wait },
      retry: { description: 'Waits, and can be repeated.', idempotent: true, concurrent: true, run: wait },
      patient: {
        description: 'Waits, and stops when its signal aborts.',
        timeoutMs: 100,
        run: ({ signal }) =>
          new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      },
      finish: { description: 'Finishes.', run: () => ({ text: 'done', reward: 1, finished: true }) },
    },
  });
}

export const textOf = ({ result }: { readonly result: { output: { blocks: { text: string }[] } } }) =>
  result.output.blocks[0]?.text ?? '';

interface TestedDatabase extends JournalDatabase {
  /** Ends the leases of all servers, as if they had been killed. */
  expireLeases(location: string): Promise<unknown>;
}

export const withLeases = (tested: JournalDatabase): TestedDatabase => ({
  ...tested,
  expireLeases: (location) => tested.run(location, 'UPDATE journal_servers SET until_ms = 0'),
});

/** Two servers with one journal; the first one counts as killed from `kill` on. */
export async function pair(database: TestedDatabase, first: Environment, second = first) {
  const location = await database.newLocation();
  const serveOne = async (environment: Environment, options: object = {}) => {
    const journal = await openJournal(location, { leaseMs: 2_000 });
    const server = await start(environment, { journal, ...options });
    return { server, journal };
  };
  const one = await serveOne(first);
  const two = await serveOne(second);
  return {
    location,
    one: one.server,
    two: two.server,
    kill: async () => {
      await one.journal.close();
      await database.expireLeases(location);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([one.server.close(), two.server.close()]);
      await Promise.all([one.journal.close(), two.journal.close()]);
    },
  };
}

export const CREATE = { split: 'train', index: 0 };

/** Holds the episodes that a journal resumes until they may come back. */
export function slowToResume(journal: Journal) {
  const { promise: gate, resolve: open } = deferred();
  let waiting = 0;
  const slow: Journal = {
    create: (episode) => journal.create(episode),
    async resume(key) {
      const resumed = await journal.resume(key);
      waiting++;
      await gate;
      return resumed;
    },
    close: () => journal.close(),
    [Symbol.asyncDispose]: () => journal.close(),
  };
  return { journal: slow, open, isWaiting: () => waiting > 0 };
}

export async function twoJournals(location: string) {
  const [one, two] = [await openJournal(location, { leaseMs: 600_000 }), await openJournal(location, { leaseMs: 300 })];
  return {
    one,
    two,
    async [Symbol.asyncDispose]() {
      await Promise.all([one.close(), two.close()]);
    },
  };
}

/** An environment whose calls of `wait` and `retry` are held until `open`. */
export function heldWalk() {
  const { promise: gate, resolve: open } = deferred();
  let waiting = 0;
  const environment = walk({ gate, onWait: () => waiting++ });
  return { environment, open, waitsFor: (calls: number) => until(() => waiting === calls) };
}

/** Two servers that are alive, with one database. The lease of the second one is short. */
export async function livePair(
  database: TestedDatabase,
  first: Environment = walk(),
  options: ServerOptions = {},
  second: Environment = walk(),
) {
  const location = await database.newLocation();
  const journals = await twoJournals(location);
  const one = await start(first, { journal: journals.one, ...options });
  const two = await start(second, { journal: journals.two });
  return {
    one,
    two,
    expireLeases: () => database.expireLeases(location),
    async [Symbol.asyncDispose]() {
      await Promise.all([one.close(), two.close()]);
      await journals[Symbol.asyncDispose]();
    },
  };
}

/** Drains a server that has an idle session and another one with a running call. */
export async function drainBesideCall(server: RunningServer, isRunning: () => boolean) {
  const idle = await create(server, CREATE);
  const busy = await create(server, CREATE);
  const running = call(server, busy, 'wait');
  await until(isRunning);
  const drained = server.drain({ timeoutMs: 30_000 });
  await until(() => server.sessionCount === 1);
  return { idle, running, drained };
}
