import type uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { StepStats } from '../../../../generated/trace.ts';
import { chartAxis, colour, keepChart, WHOLE_STEPS } from '../parts/chart.ts';
import { formatDecimal } from '../parts/rewards.ts';
import { bandOf, type RewardBand } from './bins.ts';

const HEIGHT = 208;

/** Statistics of a training step, without those of traces that have no step. */
export type NumberedStep = StepStats & { readonly step: number };

export interface RewardPlot {
  readonly show: (steps: readonly NumberedStep[], chosen: number | undefined, band: RewardBand) => void;
  readonly destroy: () => void;
}

interface PlotCallbacks {
  /** Called with the index of the step under the pointer. */
  readonly onPoint: (index: number | undefined) => void;
  readonly onChoose: (index: number) => void;
}

/** Creates a chart of rewards over steps that fills the width of an element and uses the colours of the theme. */
export function createRewardPlot(
  Plot: typeof uPlot,
  box: HTMLElement,
  { onPoint, onChoose }: PlotCallbacks,
): RewardPlot {
  let chosen: number | undefined;
  const options: uPlot.Options = {
    width: box.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    scales: { x: { time: false, range: withRoom } },
    axes: [chartAxis({ size: 30, incrs: WHOLE_STEPS }), rewardAxis()],
    // Later series are drawn above earlier ones.
    series: [{}, bandLine(), bandLine(), meanLine()],
    bands: [{ series: [1, 2], fill: () => colour('--accent-soft', 0.55) }],
    hooks: {
      setCursor: [({ cursor }) => onPoint(cursor.idx ?? undefined)],
      draw: [(plot) => drawChosen(plot, chosen)],
    },
  };
  const plot = new Plot(options, [[], [], [], []], box);
  plot.over.addEventListener('click', () => plot.cursor.idx != null && onChoose(plot.cursor.idx));
  return {
    show(steps, step, band) {
      chosen = step;
      plot.setData(seriesOf(steps, band));
    },
    destroy: keepChart(plot, box, HEIGHT),
  };
}

function seriesOf(steps: readonly NumberedStep[], band: RewardBand): uPlot.AlignedData {
  const bounds = steps.map((step) => bandOf(step, band));
  return [
    steps.map(({ step }) => step),
    bounds.map((each) => each?.[1] ?? null),
    bounds.map((each) => each?.[0] ?? null),
    steps.map(({ reward }) => reward.mean),
  ];
}

const withRoom: uPlot.Range.Function = (_, min, max) => {
  const room = (max - min) * 0.03 || 0.5;
  return [min - room, max + room];
};

const meanLine = (): uPlot.Series => ({
  stroke: () => colour('--accent'),
  width: 2,
  points: { show: true, size: 6, stroke: () => colour('--accent'), fill: () => colour('--raised') },
});

/** Dashed, so that the band is visible without colour. */
const bandLine = (): uPlot.Series => ({
  stroke: () => colour('--accent', 0.6),
  width: 1,
  dash: [3, 3],
  points: { show: false },
});

const rewardAxis = () =>
  chartAxis({
    size: 56,
    values: (_, values) => values.map((value) => formatDecimal(value, Math.abs(value) < 100 ? 2 : 0)),
  });

function drawChosen({ ctx, bbox, valToPos }: uPlot, step: number | undefined): void {
  if (step === undefined) return;
  const x = Math.round(valToPos(step, 'x', true));
  if (x < bbox.left || x > bbox.left + bbox.width) return;
  ctx.save();
  ctx.setLineDash([]);
  ctx.strokeStyle = colour('--text');
  ctx.lineWidth = devicePixelRatio;
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.restore();
}
