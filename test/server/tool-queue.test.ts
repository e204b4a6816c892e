import { expect, test } from '@jest/globals';
import { ToolQueue } from '../../src/server/calls/tool-queue.ts';
import fc, { runs } from '../support/fast-check.ts';

const modes = { a: 'serial', b: 'serial', shell: 'concurrent', final: 'exclusive', grade: 'exclusive' } as const;
type ToolName = keyof typeof modes;

const tool = fc.constantFrom(...(Object.keys(modes) as ToolName[]));
const tasks = fc.array(fc.record({ tool, turns: fc.nat(5), fails: fc.boolean(), after: fc.nat(3) }), { maxLength: 30 });

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await undefined;
};

test('runs every call once, each tool in order, and exclusive calls alone, whatever the calls do', async () => {
  await fc.assert(
    fc.asyncProperty(tasks, async (calls) => {
      const queue = new ToolQueue();
      const running: ToolName[] = [];
      const started: number[] = [];
      const results: unknown[] = [];
      const violations: string[] = [];
      for (const [index, { tool: name, turns: count, fails, after }] of calls.entries()) {
        const task = () => {
          const isExclusive = (each: ToolName) => modes[each] === 'exclusive';
          const isAlone = !running.some(isExclusive) && !(isExclusive(name) && running.length > 0);
          const isInOrder = modes[name] !== 'serial' || !running.includes(name);
          if (!isAlone || !isInOrder) violations.push(`${name} beside ${running}`);
          started.push(index);
          if (count === 0 && fails) throw new Error('at once');
          if (count === 0) return index;
          running.push(name);
          return turns(count).then(() => {
            running.splice(running.indexOf(name), 1);
            if (fails) throw new Error('late');
            return index;
          });
        };
        const isSettled = (async () => queue.run(name, modes[name], task, () => () => undefined))();
        results.push(isSettled.catch(() => index));
        await turns(after);
      }
      await queue.idle();

      expect(await Promise.all(results)).toEqual(calls.map((_, index) => index));
      expect(violations).toEqual([]);
      expect(queue.isIdle).toBe(true);
      for (const name of ['a', 'b', 'final', 'grade']) {
        const own = started.filter((index) => calls[index]?.tool === name);
        expect(own).toEqual([...own].sort((one, other) => one - other));
      }
    }),
    { numRuns: runs(500) },
  );
});

test('returns the result of a synchronous call without a promise, if nothing runs', () => {
  const queue = new ToolQueue();

  const results = (['a', 'shell', 'final'] as const).map((name) =>
    queue.run(
      name,
      modes[name],
      () => name,
      () => () => undefined,
    ),
  );

  expect(results).toEqual(['a', 'shell', 'final']);
  expect(queue.isIdle).toBe(true);
});

test('waits for other work only until it is idle', async () => {
  const queue = new ToolQueue();
  let end = () => {};
  const work = new Promise<void>((resolve) => {
    end = resolve;
  });

  void queue.runBeside(() => work);
  expect(
    queue.run(
      'final',
      'exclusive',
      () => 'ran',
      () => () => undefined,
    ),
  ).toBe('ran');
  expect(queue.isIdle).toBe(false);
  end();
  await queue.idle();

  expect(queue.isIdle).toBe(true);
});

test('reports the wait of each call once', async () => {
  const queue = new ToolQueue();
  const waits: string[] = [];
  const waiting = () => {
    waits.push('begin');
    return () => void waits.push('end');
  };

  const calls = [
    queue.run('a', 'serial', () => turns(3), waiting),
    queue.run('a', 'serial', () => turns(1), waiting),
    queue.run('final', 'exclusive', () => turns(1), waiting),
  ];
  expect(waits).toEqual(['begin', 'begin']);
  await Promise.all(calls);

  expect(waits).toEqual(['begin', 'begin', 'end', 'end']);
});
