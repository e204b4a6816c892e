import { expect, test } from '@jest/globals';
import { retryAfterMs } from '../../../src/rollout/agents/model/provider-error.ts';

const NOW = Date.parse('2030-01-01T00:00:00Z');

test.each([
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
])('parses the delay in %j', (headers, expected) => {
  expect(retryAfterMs(headers, NOW)).toBe(expected);
});
