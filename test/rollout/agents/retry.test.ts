import { describe, expect, it } from '@jest/globals';
import { retryAfterMs, retryDelayMs } from '../../../src/rollout/agents/model/retry.ts';
import fc from '../../support/fast-check.ts';

const NOW = Date.parse('2030-01-01T00:00:00Z');

describe('the pause before another attempt', () => {
  it.each([
    [{}, undefined],
    [{ 'retry-after': '2' }, 2_000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': 'Tue, 01 Jan 2030 00:00:07 GMT' }, 7_000],
    [{ 'retry-after': 'Mon, 31 Dec 2029 00:00:00 GMT' }, 0],
    [{ 'retry-after': '-1' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '' }, undefined],
    [{ 'retry-after': '9', 'retry-after-ms': '150' }, 150],
  ])('is read from %j', (headers, expected) => {
    expect(retryAfterMs(headers, NOW)).toBe(expected);
  });

  it('is at least as long as the provider asked for, up to a maximum', () => {
    fc.assert(
      fc.property(
        fc.nat(200),
        fc.double({ min: 0, max: 1e12, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (failures, asked, random) => {
          const ms = retryDelayMs(failures + 1, asked, random);

          expect(ms).toBeGreaterThanOrEqual(Math.min(asked, 600_000));
          expect(ms).toBeLessThanOrEqual(601_000);
        },
      ),
    );
  });

  it('grows with the number of failures, up to 30 s, if the provider asked for none', () => {
    const longest = [1, 2, 3, 7, 8, 1_000].map((failures) => retryDelayMs(failures, undefined, 0));
    const shortest = retryDelayMs(1, undefined, 1);

    expect(longest).toEqual([500, 1_000, 2_000, 30_000, 30_000, 30_000]);
    expect(shortest).toBe(250);
  });
});
