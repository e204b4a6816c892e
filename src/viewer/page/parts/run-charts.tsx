import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { smooth } from '../../../core/index.ts';
import {
  type ComparedRun,
  METRICS,
  type MetricPoint,
  metricBySteps,
  metricByTime,
  metricsOf,
} from '../../../trace/model/index.ts';
import { changeQuery, useQuery } from '../api/location.ts';
import { Select } from './buttons.tsx';
import { chartAxis, colour, keepChart, WHOLE_STEPS } from './chart.ts';
import { type Column, Table } from './list.tsx';
import { formatReward } from './rewards.ts';
import { VisibleText } from './visible-text.tsx';
import './run-results.css';

/** Colours of lines, and dashes that distinguish them without colour. */
const LINES = [
  ['--accent', []],
  ['--orange', [6, 3]],
  ['--green', [2, 3]],
  ['--purple', [8, 3, 2, 3]],
  ['--bad', [12, 4]],
  ['--cyan', [4, 2]],
  ['--warn', [1, 3]],
  ['--text', [10, 2, 2, 2]],
] as const;

const SMOOTHING = [
  ['', 'not smoothed'],
  ['0.6', 'smoothed'],
  ['0.9', 'strongly smoothed'],
] as const;

interface Props {
  readonly runs: readonly ComparedRun[];
  readonly pass: number;
}

/** One chart with a line per run, by training step or by time. */
export function RunCharts({ runs, pass }: Props) {
  const query = useQuery();
  const metrics = useMemo(
    () =>
      metricsOf(
        runs.flatMap(({ summaries }) => summaries),
        pass,
      ),
    [runs, pass],
  );
  const hasSteps = runs.some(({ summaries }) => summaries.some(({ step }) => step !== null));
  const metric = metrics.find((name) => name === query.get('metric')) ?? 'reward';
  const axis = query.get('x') === 'time' || !hasSteps ? 'time' : 'step';
  const weight = SMOOTHING.find(([value]) => value === query.get('smooth'))?.[0] ?? '';
  const lines = useMemo(
    () =>
      runs.map(({ run, summaries }) => {
        const points = axis === 'step' ? metricBySteps(summaries, metric, pass) : metricByTime(summaries, metric, pass);
        const smoothed = smooth(
          points.map(({ mean }) => mean),
          Number(weight),
        );
        return { run, points: points.map((point, index) => ({ ...point, mean: smoothed[index] ?? null })) };
      }),
    [runs, metric, axis, weight, pass],
  );
  return (
    <section class="card stack compare-chart" aria-labelledby="compare-chart">
      <header class="row">
        <h2 id="compare-chart">
          {METRICS[metric] ?? metric} <small>{axis === 'step' ? 'by training step' : 'by hours since the start'}</small>
        </h2>
        <span class="spring" />
        <Select
          label="metric"
          value={metric}
          options={metrics.map((name) => [name, METRICS[name] ?? name] as const)}
          onChoose={(name) => changeQuery({ metric: name === 'reward' ? undefined : name })}
        />
        {hasSteps && (
          <Select
            label="horizontal axis"
            value={axis}
            options={[
              ['step', 'by step'],
              ['time', 'by time'],
            ]}
            onChoose={(name) => changeQuery({ x: name === 'time' ? 'time' : undefined })}
          />
        )}
        <Select
          label="smoothing"
          value={weight}
          options={SMOOTHING}
          onChoose={(each) => changeQuery({ smooth: each || undefined })}
        />
      </header>
      <LineChart lines={lines} label={METRICS[metric] ?? metric} axis={axis} />
      <details>
        <summary>As a table</summary>
        <PointTable lines={lines} axis={axis} />
      </details>
    </section>
  );
}

interface ChartLine {
  readonly run: string;
  readonly points: readonly MetricPoint[];
}

interface ChartProps {
  readonly lines: readonly ChartLine[];
  readonly label: string;
  readonly axis: 'step' | 'time';
}

const HEIGHT = 260;

/** Aligns the points of lines by their positions. */
export function alignLines(lines: readonly ChartLine[]): uPlot.AlignedData {
  const xs = [...new Set(lines.flatMap(({ points }) => points.map(({ x }) => x)))].sort((one, other) => one - other);
  const series = lines.map(({ points }) => {
    const byX = new Map(points.map(({ x, mean }) => [x, mean]));
    // Undefined is a position that the line does not have: it continues over it, and null interrupts it.
    return xs.map((x) => byX.get(x));
  });
  return [xs, ...series];
}

function LineChart({ lines, label, axis }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const [Plot, setPlot] = useState<typeof uPlot>();
  const [pointed, setPointed] = useState<number>();
  useEffect(() => {
    import('uplot').then(({ default: loaded }) => setPlot(() => loaded));
  }, []);
  const data = useMemo(() => alignLines(lines), [lines]);
  const names = lines.map(({ run }) => run).join('\n');
  useEffect(() => {
    const { current } = box;
    if (!Plot || !current) return;
    const plot = new Plot(optionsOf(lines, axis, current.clientWidth, setPointed), data, current);
    return keepChart(plot, current, HEIGHT);
  }, [Plot, names, axis, data]);
  const at = pointed === undefined ? undefined : data[0][pointed];
  return (
    <>
      <div class="compare-plot" ref={box} role="img" aria-label={`${label} of ${lines.length} runs, as a line chart`} />
      <ul class="row compare-legend">
        {lines.map(({ run }, index) => {
          const value = pointed === undefined ? undefined : data[index + 1]?.[pointed];
          return (
            <li key={run}>
              <svg width={26} height={8} aria-hidden="true">
                <line
                  x1={0}
                  x2={26}
                  y1={4}
                  y2={4}
                  stroke-width={2}
                  stroke={`var(${LINES[index % LINES.length]?.[0]})`}
                  stroke-dasharray={LINES[index % LINES.length]?.[1].join(' ')}
                />
              </svg>{' '}
              <VisibleText text={run} />
              {value !== undefined && value !== null && <strong> {formatReward(value)}</strong>}
            </li>
          );
        })}
        {at !== undefined && <li class="muted">{axis === 'step' ? `step ${at}` : `${formatReward(at)} h`}</li>}
      </ul>
    </>
  );
}

function optionsOf(
  lines: readonly ChartLine[],
  axis: ChartProps['axis'],
  width: number,
  onPoint: (index: number | undefined) => void,
): uPlot.Options {
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false, drag: { x: true, y: false } },
    scales: { x: { time: false } },
    axes: [
      chartAxis({ size: 30, ...(axis === 'step' && { incrs: WHOLE_STEPS }) }),
      chartAxis({ size: 60, values: (_, values) => values.map((value) => formatReward(value)) }),
    ],
    series: [
      {},
      ...lines.map((_, index): uPlot.Series => {
        const [token, dash] = LINES[index % LINES.length] ?? LINES[0];
        return { stroke: () => colour(token), width: 2, dash: [...dash], points: { show: isShort(lines) } };
      }),
    ],
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? undefined)] },
  };
}

const isShort = (lines: readonly ChartLine[]): boolean => lines.every(({ points }) => points.length < 40);

function PointTable({ lines, axis }: Omit<ChartProps, 'label'>) {
  const data = alignLines(lines);
  const rows = Array.from(data[0], (x, index) => ({ x, index }));
  const columns: readonly Column<(typeof rows)[number]>[] = [
    {
      label: axis === 'step' ? 'Step' : 'Hours',
      class: 'number',
      cell: ({ x }) => (axis === 'step' ? x : formatReward(x)),
    },
    ...lines.map(({ run }, line) => ({
      label: run,
      class: 'number',
      cell: ({ index }: (typeof rows)[number]) => formatReward(data[line + 1]?.[index]),
    })),
  ];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section class="compare-points" aria-label="Points of the chart" tabIndex={0}>
      <Table columns={columns} rows={rows} keyOf={({ x }) => String(x)} />
    </section>
  );
}
