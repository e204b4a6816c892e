import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { type Batches, concatBatches, flatMapBatches, toBatchIterable } from '../../../src/trace/model/index.ts';

async function read<T>(items: Batches<T>): Promise<(readonly T[])[]> {
  const lists: (readonly T[])[] = [];
  for await (const list of toBatchIterable(items)) lists.push(list);
  return lists;
}

async function* coming<T>(...lists: (readonly T[])[]): AsyncGenerator<readonly T[]> {
  yield* lists;
}

test('maps an array synchronously', () => {
  expect(flatMapBatches([1, 2], (item) => [item, -item])).toEqual([1, -1, 2, -2]);
  expect(concatBatches([1], () => [2])).toEqual([1, 2]);
});

test('starts each asynchronous item after the previous one has ended', async () => {
  const begun: number[] = [];
  const items = flatMapBatches([1, 2, 3, 4], (item) => {
    begun.push(item);
    return item % 2 === 0 ? Promise.resolve([item]) : [item];
  });

  expect(begun).toEqual([1, 2]);
  expect(await read(items)).toEqual([[1], [2], [3], [4]]);
  expect(begun).toEqual([1, 2, 3, 4]);
});

test('reads lists one after the other, and the following sequence last', async () => {
  const requested: string[] = [];
  const first = flatMapBatches(coming([1, 2], [3]), (item) => {
    requested.push(`${item}`);
    return [item];
  });
  const items = concatBatches(first, () => {
    requested.push('others');
    return coming([4]);
  });

  expect(requested).toEqual([]);
  expect(await read(items)).toEqual([[1, 2], [3], [4]]);
  expect(requested).toEqual(['1', '2', '3', 'others']);
});

test('rejects only if the stream is read', async () => {
  const failing = () =>
    flatMapBatches([1], async () => {
      throw new Error('no blob');
    });

  failing();
  await nextTurn();

  await expect(read(failing())).rejects.toThrow('no blob');
});
