import { expect, test } from '@jest/globals';
import { callStore } from '../../../src/trace/api/index.ts';
import { createClientOver } from '../../../src/trace/client/index.ts';
import { createLocalApi } from '../../../src/trace/recorder/index.ts';
import { createMemoryStore } from '../../../src/trace/store/index.ts';

test('a store in this process is asked for many traces at once, within a bound', async () => {
  await using store = createMemoryStore();
  const underWay = { now: 0, most: 0 };
  const { call } = callStore(store, () => {});
  const counted: typeof call = async (...args) => {
    underWay.most = Math.max(underWay.most, ++underWay.now);
    try {
      return await call(...args);
    } finally {
      underWay.now--;
    }
  };
  await using traces = createClientOver(createLocalApi({ call: counted }, 'default'));

  const handles = Array.from({ length: 100 }, () => traces.createTrace());
  for (const trace of handles) trace.logMessage({ role: 'user', content: 'x' });
  const { acknowledged } = await traces.flush();

  expect(acknowledged).toBe(100);
  expect(underWay.most).toBe(64);
});
