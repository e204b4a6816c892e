import { expect, test } from '@jest/globals';
import { defineEnvironment } from 'ors-kit';
import { isOfTheMachine, logLines } from '../observe/log-lines.ts';
import { create, request, start } from '../support/client.ts';
import { readEvents } from '../support/http.ts';

const fail = (message: string) => () => {
  throw new Error(message);
};
const failing = (message: string) =>
  defineEnvironment({
    name: 'lab',
    splits: { train: [{}] },
    prompt: () => 'Go.',
    tools: { break: { description: 'Throw.', run: fail(message) } },
    scoreGroup: fail(message),
  });

const bodies = {
  call: { name: 'break', input: {} },
  score_group: { candidates: [{ messages: [{ role: 'assistant', blocks: [{ type: 'text', text: 'a' }] }] }] },
};
const operations = Object.keys(bodies) as (keyof typeof bodies)[];

async function openStage(message: string) {
  const { log, all } = logLines('warn');
  const server = await start(failing(message), { log });
  const sid = await create(server);
  return {
    lines: () => all().filter((line) => !isOfTheMachine(line)),
    async events(operation: keyof typeof bodies, more: object = {}) {
      const { body } = await request(server, 'POST', `/lab/${operation}`, {
        sid,
        body: { ...bodies[operation], ...more },
      });
      return readEvents(body);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

test.each(operations)(
  'cuts the error of /%s to 4096 bytes between characters, and logs it whole',
  async (operation) => {
    for (const unit of ['a', 'é', '世', '😀', 'a世😀é']) {
      const message = unit.repeat(10_000);
      await using stage = await openStage(message);

      const [, error, ...rest] = await stage.events(operation);

      const [, kept = '', missing = ''] = /^Error: (.*)… \(([\d,]+) bytes more\)$/s.exec(error?.data ?? '') ?? [];
      expect([error?.event, rest]).toEqual(['error', []]);
      expect(Buffer.byteLength(error?.data ?? '')).toBeLessThanOrEqual(4096);
      expect(kept.length).toBeGreaterThan(0);
      expect(message.startsWith(kept) && kept.isWellFormed()).toBe(true);
      expect(Buffer.byteLength(kept) + Number(missing.replaceAll(',', ''))).toBe(Buffer.byteLength(message));
      expect(stage.lines().map(({ error: logged }) => logged)).toEqual([
        expect.stringContaining(`Error: ${message}\n`),
      ]);
    }
  },
);

test.each(operations)('sends an error of 4096 bytes from /%s unchanged', async (operation) => {
  const message = `${'x'.repeat(4)}${'世'.repeat(1_361)}\ny`;
  await using stage = await openStage(message);

  const [, error] = await stage.events(operation);

  expect(Buffer.byteLength(error?.data ?? '')).toBe(4096);
  expect(error?.data).toBe(`Error: ${message}`);
});

test.each(operations)('repeats a cut error of /%s for its task_id', async (operation) => {
  await using stage = await openStage('世'.repeat(5_000));
  const first = await stage.events(operation);

  const again = await stage.events(operation, { task_id: first[0]?.data });

  expect(first.map(({ event }) => event)).toEqual(['task_id', 'error']);
  expect(again).toEqual(first);
  expect(stage.lines()).toHaveLength(1);
});
