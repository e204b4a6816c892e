import { expect, test } from '@jest/globals';
import { duration, figure, formatPercent, formatReward } from '../../../src/cli/terminal/terminal.ts';
import { diffBuckets, histogramQuantile } from '../../../src/cli/top/overview.ts';
import {
  createScrapeWindow,
  histogramBuckets,
  labelValues,
  parseSamples,
  sumMetric,
  toScrape,
} from '../../../src/cli/top/scrape.ts';

test("parses samples in Prometheus' text format", () => {
  const text = [
    '# HELP a What it is.',
    '# TYPE a counter',
    'a 1',
    'b{} 2.5e3 1700000000000',
    'c{x="1",y="say \\"hi\\"\\n\\\\ {},=",} -Inf',
    'd{le="+Inf"}  NaN',
    'e { x = "1" } +Inf',
    'no sample',
    '',
  ].join('\n');

  expect(parseSamples(text)).toEqual([
    { name: 'a', labels: {}, value: 1 },
    { name: 'b', labels: {}, value: 2500 },
    { name: 'c', labels: { x: '1', y: 'say "hi"\n\\ {},=' }, value: Number.NEGATIVE_INFINITY },
    { name: 'd', labels: { le: '+Inf' }, value: Number.NaN },
    { name: 'e', labels: { x: '1' }, value: Number.POSITIVE_INFINITY },
  ]);
});

const INF = Number.POSITIVE_INFINITY;

test.each([
  [
    'nothing',
    [
      [1, 0],
      [INF, 0],
    ],
    0.5,
    null,
  ],
  [
    'the middle of a bucket',
    [
      [1, 0],
      [2, 10],
      [INF, 10],
    ],
    0.5,
    1.5,
  ],
  [
    'the first bucket, which begins at 0',
    [
      [1, 4],
      [INF, 4],
    ],
    0.5,
    0.5,
  ],
  [
    'a bucket after empty ones',
    [
      [1, 2],
      [2, 2],
      [4, 4],
      [INF, 4],
    ],
    0.75,
    3,
  ],
  [
    'the edge of a bucket',
    [
      [1, 2],
      [2, 2],
      [4, 4],
      [INF, 4],
    ],
    0.5,
    1,
  ],
  [
    'what lies beyond the last bound',
    [
      [1, 0],
      [2, 1],
      [INF, 10],
    ],
    0.95,
    2,
  ],
] as [string, [number, number][], number, number | null][])('a quantile of %s', (_what, buckets, part, expected) => {
  expect(histogramQuantile(part, new Map(buckets))).toBe(expected);
});

test('sums histograms over omitted labels, and compares them by bucket', () => {
  const text = (count: number) =>
    ['x', 'y']
      .flatMap((tool) => [
        `h_bucket{tool="${tool}",le="+Inf"} ${count}`,
        `h_bucket{tool="${tool}",le="0.5"} ${count - 1}`,
      ])
      .join('\n');

  const [before, now] = [toScrape(text(2), 0), toScrape(text(5), 1)];

  expect([...histogramBuckets(now, 'h')]).toEqual([
    [0.5, 8],
    [INF, 10],
  ]);
  expect([
    ...diffBuckets(histogramBuckets(before, 'h', { tool: 'x' }), histogramBuckets(now, 'h', { tool: 'x' })),
  ]).toEqual([
    [0.5, 3],
    [INF, 3],
  ]);
  expect(labelValues(now, 'h_bucket', 'tool')).toEqual(['x', 'y']);
  expect(sumMetric(now, 'h_bucket', { tool: 'y' })).toBe(9);
});

test('compares a scrape with the oldest of ten seconds, and with none from before a restart of the server', () => {
  const window = createScrapeWindow();
  const at = (ms: number, started: number) => toScrape(`process_start_time_seconds ${started}`, ms);

  const compared = [at(0, 1), at(6_000, 1), at(10_000, 1), at(11_000, 1), at(12_000, 2), at(13_000, 2)].map(
    (scrape) => window(scrape)?.at,
  );

  expect(compared).toEqual([undefined, 0, 0, 6_000, undefined, 12_000]);
});

test('formats short numbers', () => {
  expect([0, 0.123, 1, 9.96, 12.34, 99.7, 1_234_567].map(figure)).toEqual([
    '0',
    '0.12',
    '1',
    '10.0',
    '12.3',
    '100',
    '1,234,567',
  ]);
  expect([null, 0.000_5, 0.25, 1.5, 119, 150].map(duration)).toEqual([
    '-',
    '0.5 ms',
    '250 ms',
    '1.5 s',
    '1 min 59 s',
    '2 min 30 s',
  ]);
  expect([-1234.5, -0.5].map(figure)).toEqual(['-1,234', '-0.50']);
  expect([null, 0.001, 1 / 3].map(formatReward)).toEqual(['-', '0.001', '0.3333']);
  expect([null, 0, 0.125].map(formatPercent)).toEqual(['-', '0 %', '12.5 %']);
});
