import { expect, test } from '@jest/globals';
import { IssuedIds } from '../../src/server/sessions/session-id.ts';

test('forgets session ids five seconds after they were issued', () => {
  let time = 0;
  const ids = new IssuedIds(() => time);
  ids.add('early');
  time = 1_000;
  ids.add('late');

  time = 4_999;
  ids.sweep();
  expect([ids.has('early'), ids.has('late')]).toEqual([true, true]);
  time = 5_000;
  ids.sweep();
  expect([ids.has('early'), ids.has('late')]).toEqual([false, true]);
});

test('keeps at most 10,000 session ids, the latest', () => {
  const ids = new IssuedIds(() => 0);
  for (let id = 0; id <= 10_000; id++) ids.add(`${id}`);

  expect([ids.has('0'), ids.has('1'), ids.has('10000')]).toEqual([false, true, true]);
});
