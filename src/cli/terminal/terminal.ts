import { styleText } from 'node:util';
import {
  formatCount,
  formatDuration,
  formatNumber,
  largest,
  shellCommand,
  truncate,
  unicodeEscape,
} from '../../core/index.ts';

type TextStyleName = 'bold' | 'dim' | 'cyan' | 'green' | 'yellow' | 'red';

const WIDTH_WITHOUT_TERMINAL = 80;
const MIN_WIDTH = 40;

/** Output for people. */
export interface Terminal {
  /** False for a pipe or a file. */
  readonly isInteractive: boolean;
  /** Width in characters; 80 without a terminal. */
  readonly width: number;
  /** Applies a style, or returns the text unchanged if colours are off (NO_COLOR, a pipe). */
  style(style: TextStyleName, text: string): string;
  print(text: string): void;
}

/** Opens a stream as a terminal. @param stream @default process.stdout */
export function openTerminal(stream: NodeJS.WriteStream = process.stdout): Terminal {
  const isInteractive = stream.isTTY === true;
  const hasColours = isInteractive && stream.hasColors();
  return {
    isInteractive,
    get width() {
      return Math.max(MIN_WIDTH, (isInteractive && stream.columns) || WIDTH_WITHOUT_TERMINAL);
    },
    style: (style, text) => (hasColours ? styleText(style, text) : text),
    print: (text) => {
      stream.write(text);
    },
  };
}

export interface TableColumn<Row> {
  readonly title: string;
  readonly text: (row: Row) => string;
  /** Aligns the column to the right. */
  readonly isRight?: true;
}

/** Creates a function that prints rows as a table. The first rows determine the widths of the columns. */
export function createTable<Row>(columns: readonly TableColumn<Row>[], terminal: Terminal) {
  let widths: readonly number[] | undefined;
  // Lines are truncated on a terminal only.
  const fitted = (line: string) => (terminal.isInteractive ? truncate(line, terminal.width) : line);
  const lineOf = (cells: readonly string[]) =>
    cells
      .map((cell, at) => (columns[at]?.isRight ? cell.padStart(widths?.[at] ?? 0) : cell.padEnd(widths?.[at] ?? 0)))
      .join('  ')
      .trimEnd();
  return (rows: readonly Row[]): void => {
    const cells = rows.map((row) => columns.map(({ text }) => text(row)));
    if (widths === undefined) {
      const titles = columns.map(({ title }) => title);
      widths = titles.map((title, at) => largest([title.length, ...cells.map((row) => row[at]?.length ?? 0)]));
      terminal.print(`${terminal.style('bold', fitted(lineOf(titles)))}\n`);
    }
    terminal.print(cells.map((row) => `${fitted(lineOf(row))}\n`).join(''));
  };
}

/** Longer lines are data and are not wrapped. */
const MAX_LINE_LENGTH = 20_000;

/** Wraps a text between words. Words longer than the width stay whole, and an indented line keeps its indent. */
export function wrapText(text: string, width: number, indent = ''): string {
  return text
    .split('\n')
    .flatMap((line) => wrapLine(line, width - indent.length))
    .map((line) => (line === '' ? '' : indent + line))
    .join('\n');
}

function wrapLine(line: string, width: number): string[] {
  if (line.length > MAX_LINE_LENGTH) return [line];
  const own = /^ */.exec(line)?.[0] ?? '';
  const margin = own.length < width / 2 ? own : '';
  const lines: string[] = [];
  let rest = margin + line.trim();
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width);
    const end = space > margin.length ? space : rest.indexOf(' ', width);
    if (end < 0) break;
    lines.push(rest.slice(0, end).trimEnd());
    rest = margin + rest.slice(end).trimStart();
  }
  return [...lines, rest];
}

const UNSAFE_IN_JSON = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu;

/** Serializes a value on one line, with characters escaped that a terminal could act on. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value).replace(UNSAFE_IN_JSON, unicodeEscape);
}

/** Escapes the same characters in lines of JSON. */
export const safeLines = (lines: string): string =>
  lines.replace(/[^\n]+/g, (line) => line.replace(UNSAFE_IN_JSON, unicodeEscape));

/** Pads texts to the length of the longest. */
export function padAll(texts: readonly string[]): string[] {
  const width = largest(texts.map(({ length }) => length));
  return texts.map((text) => text.padEnd(width));
}

/** Formats a duration in seconds. */
export const duration = (seconds: number | null): string => (seconds === null ? '-' : formatDuration(seconds * 1_000));

/** Formats a reward, or a statistic of rewards. */
export const formatReward = (value: number | null): string => (value === null ? '-' : formatNumber(value));

/** Formats a reward with 12 digits. */
export const formatRewardCell = (reward: number | null): string => (reward === null ? '-' : formatNumber(reward, 12));

/** Formats a timestamp to the second. */
export const formatTime = (time: string): string => time.slice(0, 19).replace('T', ' ');

export const formatRate = (rate: number): string => `${figure(rate)}/s`;

export const formatPercent = (part: number | null): string => (part === null ? '-' : `${figure(part * 100)} %`);

/** Formats a number with three digits, without decimals from 100 up. */
export function figure(value: number): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 99.5) return formatCount(Math.round(value));
  return size >= 9.95 ? value.toFixed(value % 1 === 0 ? 0 : 1) : value.toFixed(Number.isInteger(value) ? 0 : 2);
}

/**
 * Returns a command line that runs this program again. If npm started it, it is not on the path of the user's shell, but
 * `npx` finds it by the name of the package.
 */
export const orsCommand = (...words: readonly string[]): string =>
  shellCommand(...(process.env.npm_execpath === undefined ? ['ors'] : ['npx', 'ors-kit']), ...words);
