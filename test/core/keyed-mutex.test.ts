import { expect, test } from '@jest/globals';
import { deferred, KeyedMutex } from '../../src/core/index.ts';

test('runs tasks of different keys at once', async () => {
  const mutex = new KeyedMutex<string>();
  const log: string[] = [];
  const gate = deferred();

  const blocked = mutex.run('a', () => gate.promise.then(() => log.push('a1')));
  const behind = mutex.run('a', () => log.push('a2'));
  await mutex.run('b', () => log.push('b'));
  gate.resolve();
  await Promise.all([blocked, behind]);

  expect(log).toEqual(['b', 'a1', 'a2']);
});
