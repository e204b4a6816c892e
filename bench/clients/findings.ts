import { median } from '../load/statistics.ts';
import type { Metric } from '../measures/measure.ts';
import type { Figure } from '../results.ts';
import type { PlayerName } from './players.ts';

interface Row {
  metric: Metric;
  values: Map<PlayerName, number[]>;
}

/** Everything that one run found out about the clients. */
export class Findings {
  readonly #rows = new Map<string, Row>();
  readonly faults = new Map<string, string[]>();
  readonly notes = new Set<string>();

  record(metric: Metric, player: PlayerName, value: number): void {
    const key = `${metric.measure}: ${metric.name}`;
    const row = this.#rows.get(key) ?? { metric, values: new Map() };
    this.#rows.set(key, row);
    row.values.set(player, [...(row.values.get(player) ?? []), value]);
  }

  fault(measure: string, player: PlayerName, error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    const key = `${measure}, ${player}`;
    this.faults.set(key, [...(this.faults.get(key) ?? []), text]);
  }

  /** One table as `bench/run.ts` prints it: medians, least and most of the rounds, ratios. */
  table(names: readonly PlayerName[]): string {
    const others = names.includes('ours') ? names.filter((name) => name !== 'ours') : [];
    const header = ['', ...names, ...others.map((name) => `ours/${name}`)];
    const lines: string[][] = [header];
    let measure = '';
    for (const { metric, values } of this.#rows.values()) {
      if (metric.measure !== measure) lines.push([metric.measure]);
      measure = metric.measure;
      const figures = new Map([...values].map(([name, list]) => [name, figureOf(list)]));
      const ours = figures.get('ours')?.median ?? Number.NaN;
      lines.push([
        `${{ more: '+', less: '-', neither: ' ' }[metric.better]} ${metric.name}`,
        ...names.map((name) => figureText(figures.get(name))),
        ...others.map((name) => ratioText(ours / (figures.get(name)?.median ?? Number.NaN))),
      ]);
    }
    return aligned(lines, header.length);
  }
}

function figureOf(values: readonly number[]): Figure {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values), rounds: values.length };
}

function aligned(lines: readonly string[][], columns: number): string {
  const rows = lines.filter((cells) => cells.length > 1);
  const widths = Array.from({ length: columns }, (_, at) => Math.max(...rows.map((cells) => cells[at]?.length ?? 0)));
  return lines
    .map(([first = '', ...cells]) => {
      if (cells.length === 0) return `\n${first}`;
      const rest = cells.map((cell, at) => cell.padStart(widths[at + 1] ?? 0));
      return [first.padEnd(widths[0] ?? 0), ...rest].join('   ').trimEnd();
    })
    .join('\n');
}

function figureText(figure: Figure | undefined): string {
  if (figure === undefined || !Number.isFinite(figure.median)) return '-';
  const range = figure.rounds > 1 ? ` (${numberText(figure.min)}-${numberText(figure.max)})` : '';
  return numberText(figure.median) + range;
}

function ratioText(value: number): string {
  return Number.isFinite(value) ? `${numberText(value)} x` : '-';
}

function numberText(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en', { maximumFractionDigits: digits });
}
