import { describe, expect, test } from '@jest/globals';
import { defineEnvironment } from 'ors-kit';
import { pino } from 'pino';
import { call, create, request, start } from '../support/client.ts';
import { HOSTILE_VALUES } from '../support/hostile-values.ts';

type Site = 'publicTask' | 'setup' | 'taskTools' | 'prompt' | 'tool' | 'teardown' | 'onCleanup' | 'get' | 'count';
const SITES: readonly Site[] = [
  'publicTask',
  'setup',
  'taskTools',
  'prompt',
  'tool',
  'teardown',
  'onCleanup',
  'get',
  'count',
];

/** Throws `value` at one location, or rejects with it. */
function throwing(site: Site, value: () => unknown, isLate: boolean) {
  const at = (here: Site): unknown => {
    if (here !== site) return undefined;
    if (isLate) return Promise.reject(value());
    throw value();
  };
  return defineEnvironment({
    name: 'throwing',
    splits: {
      train: { count: () => (at('count') as undefined) ?? 1, get: () => (at('get') as undefined) ?? { n: 1 } },
    },
    publicTask: (task) => (at('publicTask') as undefined) ?? task,
    resolveTask: (task) => task,
    setup: ({ onCleanup }) => {
      onCleanup(() => at('onCleanup') as undefined);
      return at('setup');
    },
    taskTools: () => (at('taskTools') as undefined) ?? {},
    prompt: () => (at('prompt') as undefined) ?? 'Well?',
    tools: { run: { description: 'Run.', run: () => (at('tool') as undefined) ?? { text: 'ran' } } },
    teardown: () => at('teardown') as undefined,
  });
}

/** Each value at each location, synchronously or later, so that each value and each location has both. */
const THROWN = Object.entries(HOSTILE_VALUES).map(([name, value], row) => {
  const sites = SITES.map((site, column) => {
    const isLate = (row + column) % 2 === 1;
    return [site, isLate ? 'later' : 'at once', isLate] as const;
  });
  return [name, value, sites] as const;
});

describe.each(THROWN)('a thrown value: %s', (_, value, sites) => {
  test.each(sites)('frees the session slot: %s, %s', async (site, _when, isLate) => {
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
    await using server = await start(throwing(site, value, isLate), { maxSessions: 1, capacityWaitMs: 1, log });
    const named = { split: 'train', index: 0 };

    for (const sid of ['one', 'two']) {
      const { status } = await request(server, 'POST', '/create', { sid, body: named });
      const prompt = await request(server, 'GET', '/throwing/prompt', { sid });
      const { error } = await call(server, sid, 'run', {}, { environment: 'throwing' }).catch((cause) => ({
        error: String(cause),
      }));
      const deleted = await request(server, 'POST', '/delete', { sid });

      expect([200, 500]).toContain(status);
      expect(JSON.stringify([prompt.body, error ?? '']).length).toBeLessThan(30_000);
      expect([200, 404]).toContain(deleted.status);
    }

    expect(server.sessionCount).toBe(0);
    expect(lines.join('')).not.toContain('in this server itself');
    // Messages are cut at 100,000 characters.
    for (const line of lines) expect(line.length).toBeLessThan(110_000);
  });
});

test.each(Object.entries(HOSTILE_VALUES))('survives an authenticate hook that throws %s', async (_, value) => {
  const authenticate = (): never => {
    throw value();
  };
  await using server = await start(
    throwing('tool', () => 'x', false),
    { authenticate },
  );

  for (const path of ['/list_environments', '/no/such/path']) {
    const response = await request(server, 'GET', path);

    expect(response.status).toBe(500);
    expect(response.body).toEqual({ detail: expect.stringContaining('internal error') });
  }
  await expect(create(server, { split: 'train', index: 0 })).rejects.toThrow();
});
