import { expect, jest, test } from '@jest/globals';
import { untilBegun } from '../../src/cli/conformance/run.ts';

const REASON = new Error('interrupted');

test('rejects with the reason of an interrupt that came before the run', async () => {
  const run = jest.fn(async () => 'report');

  const running = untilBegun(AbortSignal.abort(REASON), () => false, run);

  await expect(running).rejects.toBe(REASON);
  expect(run).not.toHaveBeenCalled();
});

test.each([
  [false, REASON],
  [true, 'report'],
])('with an interrupt during the run, and hasBegun %p, settles with %s', async (hasBegun, expected) => {
  const controller = new AbortController();
  let end: (report: string) => void = () => {};
  const run = () => new Promise<string>((resolve) => (end = resolve));

  const running = untilBegun(controller.signal, () => hasBegun, run).catch((error: unknown) => error);
  controller.abort(REASON);
  await new Promise(setImmediate);
  end('report');

  expect(await running).toBe(expected);
});
