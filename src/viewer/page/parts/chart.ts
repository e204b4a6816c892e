import type uPlot from 'uplot';

/** Resolves a CSS variable for the canvas; only elements resolve `light-dark()`. */
export function colour(token: string, alpha = 1): string {
  const probe = document.createElement('i');
  probe.style.color = `var(${token})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return alpha === 1 ? color : color.replace(/^rgb\((.*)\)$/, `rgba($1, ${alpha})`);
}

/** Distances between whole numbers on an axis. */
export const WHOLE_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 1e5, 1e6];

export const chartAxis = (more: uPlot.Axis): uPlot.Axis => ({
  stroke: () => colour('--muted'),
  grid: { stroke: () => colour('--line'), width: 1 },
  ticks: { show: false },
  font: '12px system-ui, sans-serif',
  ...more,
});

/** Draws a chart again when its element or the theme changes. @returns a function that removes the chart. */
export function keepChart(plot: uPlot, box: HTMLElement, height: number): () => void {
  const redraw = () => plot.redraw(false);
  const size = new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height }));
  size.observe(box);
  const dark = matchMedia('(prefers-color-scheme: dark)');
  dark.addEventListener('change', redraw);
  addEventListener('ors:theme', redraw);
  return () => {
    size.disconnect();
    dark.removeEventListener('change', redraw);
    removeEventListener('ors:theme', redraw);
    plot.destroy();
  };
}
