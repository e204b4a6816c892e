import { expect, test } from '@jest/globals';
import type { JSONObject } from '../../generated/trace.ts';
import { asRequestError, statusNote, toRequestError } from '../../src/viewer/page/api/request-error.ts';
import { formatDecimal, formatRewardInColumn, formatSigned } from '../../src/viewer/page/parts/rewards.ts';
import { formatCost, readCost, toTraceTimes, totalTokens } from '../../src/viewer/page/parts/trace-info.ts';

const STORED = { created_at: '2026-03-01T00:00:00.000000Z', finished_at: '2026-03-01T00:00:00.100000Z' };

test.each([
  [{}, { ...STORED, imported_at: undefined }],
  [{ imported: 'yes' }, { ...STORED, imported_at: undefined }],
  [{ imported: { format: 'atif', created_at: 'long ago' } }, { ...STORED, imported_at: undefined }],
  [
    { imported: { created_at: '2025-01-01T00:00:00Z', finished_at: '2025-01-01T00:01:00Z' } },
    { created_at: '2025-01-01T00:00:00Z', finished_at: '2025-01-01T00:01:00Z', imported_at: STORED.created_at },
  ],
  [
    { imported: { created_at: '2025-01-01T00:00:00Z', finished_at: null } },
    { created_at: '2025-01-01T00:00:00Z', finished_at: null, imported_at: STORED.created_at },
  ],
])('returns the recording time of a trace with the metadata %j: %j', (metadata, recorded) => {
  expect(toTraceTimes({ ...STORED, metadata })).toEqual(recorded);
});

test('sums the tokens of the traces that report them', () => {
  const silent = { metadata: {}, rollout_info: {} };

  const tokens = totalTokens([
    silent,
    { metadata: { usage: { input_tokens: 10, output_tokens: 5 } }, rollout_info: {} },
    { metadata: {}, rollout_info: { total_tokens: 7 } },
  ]);

  expect(tokens).toBe(22);
  expect(totalTokens([silent])).toBeUndefined();
});

test.each([1e300, -5, Number.NaN, '12'])('rejects %s as a number of tokens', (total_tokens) => {
  const usage = { total_tokens } as JSONObject;

  const tokens = totalTokens([{ metadata: { usage }, rollout_info: {} }]);

  expect(tokens).toBeUndefined();
});

test.each([
  [0.05556, '0.056'],
  [-1, '−1.000'],
  [0, '0.000'],
  [0.0001, '1.00e−4'],
  [-2e9, '−2.00e+9'],
  [null, '–'],
])('formats the reward %d in a column as %s', (value, shown) => {
  expect(formatRewardInColumn(value)).toBe(shown);
});

test.each([
  [-1e-10, '0.000', '0.000'],
  [1e-10, '0.000', '0.000'],
  [0.5, '0.500', '+0.500'],
  [-0.5, '−0.500', '−0.500'],
])('formats the number %d as %s, and as %s with its sign', (value, plain, withSign) => {
  expect(formatDecimal(value)).toBe(plain);
  expect(formatSigned(value)).toBe(withSign);
});

test('attributes a response that is not JSON to another program', () => {
  const failure = asRequestError(new SyntaxError(`Unexpected token '<'`));

  expect(failure.kind).toBe('other');
  expect(failure.message).toBe('the response is not JSON');
});

test.each([
  [{}, ''],
  [{ error: { message: 'the upstream is closed' } }, ' (status 502)'],
])('adds the status to the message of a response with the body %j unless it is there: %j', (body, note) => {
  expect(statusNote(toRequestError(502, body))).toBe(note);
});

test.each<[JSONObject, JSONObject, string | undefined]>([
  [{ usage: { cost: 0.00423 } }, {}, '$0.0042'],
  [{}, { total_cost_usd: 12.3456 }, '$12.35'],
  [{ cost: 0 }, {}, '$0'],
  [{ cost: 'free' }, { cost: -1 }, undefined],
])('reads the cost of a trace from the metadata %j and the info %j', (metadata, rollout_info, shown) => {
  const cost = readCost({ metadata, rollout_info });

  expect(cost === undefined ? undefined : formatCost(cost)).toBe(shown);
});
