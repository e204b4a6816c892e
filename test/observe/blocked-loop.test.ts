import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { defineEnvironment } from 'ors-kit';
import { warnOnBlockedEventLoop } from '../../src/server/observability/blocked-event-loop.ts';
import type { AuthorWork } from '../../src/server/observability/observer.ts';
import { call, create, start } from '../support/client.ts';
import { until } from '../support/until.ts';
import { logLines } from './log-lines.ts';

const block = (ms: number) => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  return { text: 'It is over.' };
};

const environment = defineEnvironment({
  name: 'lab',
  splits: { train: [{}] },
  prompt: () => 'Block.',
  tools: {
    block: { description: 'Block at once.', run: () => block(400) },
    block_later: {
      description: 'Block after a while.',
      run: async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        return block(400);
      },
    },
  },
});

test.each([
  ['block', /^tool 'block' of 'lab' blocked the event loop for \d+ ms; every session waited$/],
  ['block_later', /^the event loop was blocked for \d+ ms while these ran: tool 'block_later' of 'lab'; every session/],
])('%s: logs how long the event loop was blocked, and by which tool', async (tool, line) => {
  const told = logLines('warn');
  await using server = await start(environment, { log: told.log });
  const sid = await create(server);

  const found = () => told.all().find(({ msg }) => line.test(msg));
  // Other things of the server may be under way in the same moment.
  await until(async () => {
    await call(server, sid, tool);
    return found() !== undefined;
  }, `a line about ${tool}`);

  expect(found()).toMatchObject({ sid, environment: 'lab', tool });
  expect(found().ms).toBeGreaterThan(200);
});

test('blames no author code for the time in which the server loaded its own code', async () => {
  const told = logLines('warn');
  const { observer, stop } = warnOnBlockedEventLoop(told.log);
  const work: AuthorWork = { kind: 'call', sid: 's', environment: 'lab', tool: 'wait' };
  const underWay = observer.authorWork?.(work);

  const loaded = observer.loading?.();
  block(1_000);
  loaded?.();
  const since = performance.now();
  await until(async () => {
    await delay(100);
    block(400);
    return told.all().length > 0;
  }, 'a line about the blocked event loop');
  const afterwards = performance.now() - since;
  underWay?.ended({ outcome: 'ok' });
  stop();

  expect(told.all()[0].ms).toBeLessThanOrEqual(Math.ceil(afterwards));
});

test('names only work that is under way, in whichever order others ended', async () => {
  const told = logLines('warn');
  const { observer, stop } = warnOnBlockedEventLoop(told.log);
  const begin = (tool: string) =>
    observer.authorWork?.({ sid: 's', environment: 'lab', kind: 'call', tool, waitedMs: undefined } as AuthorWork);
  const [first, second, third] = ['first', 'second', 'third'].map(begin);
  first?.ended({ outcome: 'ok' });
  third?.ended({ outcome: 'ok' });
  await delay(200);

  block(400);
  await until(() => told.all().length > 0, 'a line about the blocked event loop');

  expect(told.text()).toContain('second');
  expect(told.text()).not.toContain('third');
  second?.ended({ outcome: 'ok' });
  stop();
});
