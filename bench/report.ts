import { spawnSync } from 'node:child_process';
import { arch, cpus, loadavg, platform } from 'node:os';
import { type Fault, type Figure, type Row, ratio } from './results.ts';

/** Signs for whether more or less is better. */
export const marks = { more: '+', less: '-', neither: ' ' } as const;

/** Two contestants for a ratio: the figures of the first are divided by those of the second. */
export type Pair = readonly [subject: string, other: string];

export const TABLE_LEGEND = 'Median (min-max of the rounds); + more is better, - less is better.';

/** Pairs `ours` with each other contestant. */
const oursToOthers = (names: readonly string[]): Pair[] =>
  names.includes('ours') ? names.filter((name) => name !== 'ours').map((name) => ['ours', name]) : [];

/** Formats a table for a terminal: medians with the range of the rounds, and ratios. */
export function table(
  rows: readonly Row[],
  names: readonly string[],
  pairs: readonly Pair[] = oursToOthers(names),
): string {
  const header = ['', ...names, ...pairs.map((pair) => pair.join('/'))];
  const lines: string[][] = [header];
  let measure = '';
  for (const row of rows) {
    if (row.measure !== measure) lines.push([row.measure]);
    measure = row.measure;
    lines.push([
      `${marks[row.better]} ${row.name}`,
      ...names.map((name) => figureText(row.figures[name])),
      ...pairs.map(([subject, other]) => ratioText(ratio(row, other, subject))),
    ]);
  }
  return aligned(lines);
}

/** Aligns cells in columns; a line with a single cell is a heading. */
export function aligned(lines: readonly (readonly string[])[]): string {
  const header = lines[0] ?? [];
  const widths = header.map((_, column) =>
    Math.max(...lines.map((cells) => (cells.length > 1 ? width(cells, column) : 0))),
  );
  return lines.map((cells) => alignedLine(cells, widths)).join('\n');
}

function width(cells: readonly string[], column: number): number {
  return cells[column]?.length ?? 0;
}

function alignedLine(cells: readonly string[], widths: readonly number[]): string {
  if (cells.length === 1) return `\n${cells[0]}`;
  return cells
    .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
    .join('   ')
    .trimEnd();
}

/** Formats a Markdown table: the first column is aligned left, the others right. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = header.map((_, column) => (column === 0 ? '---' : '---:'));
  return [header, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

export function figureText(figure: Figure | undefined): string {
  if (figure === undefined || !Number.isFinite(figure.median)) return '-';
  const range = figure.rounds > 1 ? ` (${numberText(figure.min)}-${numberText(figure.max)})` : '';
  return numberText(figure.median) + range;
}

/** Formats a ratio; a small one as a fraction, such as 1/45. */
export function ratioText(value: number | undefined): string {
  if (value === undefined) return '-';
  return value > 0 && value < 0.1 ? `1/${numberText(1 / value)}` : `${numberText(value)} x`;
}

export function numberText(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en', { maximumFractionDigits: digits });
}

export function faultText({ measure, contestant, count, first }: Fault): string {
  return `error: ${measure}, ${contestant}: ${count} ${count === 1 ? 'error' : 'errors'}, first: ${first}`;
}

/** Describes the machine and its load. */
export function machineText(): string {
  return `${hardwareText()}, ${loadText()}`;
}

export function hardwareText(): string {
  const models = cpus();
  const machine = `${platform()} ${arch()}, ${models.length} x ${models[0]?.model.trim() ?? 'unknown CPU'}`;
  return `Node ${process.versions.node}, ${machine}`;
}

/** The measured commit, with `-dirty` if files were changed since; 'unknown' outside of a checkout. */
export const commitText = (): string =>
  spawnSync('git', ['describe', '--always', '--dirty', '--abbrev=8'], { encoding: 'utf8' }).stdout?.trim() || 'unknown';

/** Formats the load average. The benchmark itself causes 2 of it: if it is much higher, the machine was busy. */
export function loadText(): string {
  return `load average ${loadavg()[1]?.toFixed(1)} over 5 minutes`;
}
