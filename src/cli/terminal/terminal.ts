import { styleText } from 'node:util';
import {
  formatCount,
  formatDuration,
  formatNumber,
  largest,
  shellCommand,
  sum,
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
  /** On a terminal that is too narrow, columns with the greatest number are left out first. @default never left out */
  readonly optional?: number;
  /** Width to which the column may be shortened, after optional columns are left out. @default its full width */
  readonly minWidth?: number;
  /** Leaves the column out if its cells are all `-`. */
  readonly omitsEmpty?: true;
}

/** A column with the width that it has in a table. */
interface SizedColumn<Row> extends TableColumn<Row> {
  readonly width: number;
}

const COLUMN_GAP = '  ';

/**
 * Creates a function that prints rows as a table. The first rows determine the columns and their widths: on a terminal,
 * optional columns are left out, and others shortened, until a row fits.
 */
export function createTable<Row>(columns: readonly TableColumn<Row>[], terminal: Terminal) {
  let sized: readonly SizedColumn<Row>[] | undefined;
  // Lines are truncated on a terminal only.
  const fitted = (line: string) => (terminal.isInteractive ? truncate(line, terminal.width) : line);
  const lineOf = (shown: readonly SizedColumn<Row>[], textOf: (column: SizedColumn<Row>) => string) => {
    const cells = shown.map((column) => {
      const isCut = terminal.isInteractive && column.minWidth !== undefined;
      const text = isCut ? shortenMiddle(textOf(column), column.width) : textOf(column);
      return column.isRight ? text.padStart(column.width) : text.padEnd(column.width);
    });
    return fitted(cells.join(COLUMN_GAP).trimEnd());
  };
  return (rows: readonly Row[]): void => {
    if (sized === undefined) {
      const all = sizeColumns(columns, rows);
      sized = terminal.isInteractive ? fitColumns(all, terminal.width) : all;
      const omitted = all.filter(({ title }) => !sized?.some((column) => column.title === title));
      if (omitted.length > 0) terminal.print(`${terminal.style('dim', omittedText(omitted, terminal.width))}\n`);
      terminal.print(
        `${terminal.style(
          'bold',
          lineOf(sized, ({ title }) => title),
        )}\n`,
      );
    }
    const shown = sized;
    terminal.print(rows.map((row) => `${lineOf(shown, ({ text }) => text(row))}\n`).join(''));
  };
}

function sizeColumns<Row>(columns: readonly TableColumn<Row>[], rows: readonly Row[]): readonly SizedColumn<Row>[] {
  return columns.flatMap((column) => {
    const cells = rows.map(column.text);
    if (column.omitsEmpty && cells.every((cell) => cell === '-')) return [];
    return [{ ...column, width: largest([column.title.length, ...cells.map((cell) => cell.length)]) }];
  });
}

/** Leaves out optional columns, then shortens the widest ones, until the columns fit. */
function fitColumns<Row>(columns: readonly SizedColumn<Row>[], width: number): readonly SizedColumn<Row>[] {
  let fitting = columns;
  const excess = () => sum(fitting.map((each) => each.width + COLUMN_GAP.length)) - COLUMN_GAP.length - width;
  const byRank = columns.filter(({ optional }) => optional !== undefined);
  for (const { title } of [...byRank].sort((one, other) => (other.optional ?? 0) - (one.optional ?? 0))) {
    if (excess() <= 0) return fitting;
    fitting = fitting.filter((column) => column.title !== title);
  }
  while (excess() > 0) {
    const spare = ({ width: own, minWidth = own }: SizedColumn<Row>) => own - minWidth;
    const [widest] = [...fitting].sort((one, other) => spare(other) - spare(one));
    if (!widest || spare(widest) <= 0) return fitting;
    fitting = fitting.map((column) => (column === widest ? { ...column, width: column.width - 1 } : column));
  }
  return fitting;
}

const omittedText = (columns: readonly { readonly title: string }[], width: number): string =>
  truncate(`left out, for a wider terminal: ${columns.map(({ title }) => title).join(', ')}`, width);

/** Shortens a text in the middle, because names often differ at the end only. */
function shortenMiddle(text: string, width: number): string {
  if (text.length <= width || width < 5) return text;
  const end = Math.floor((width - 1) / 2);
  return `${text.slice(0, width - 1 - end)}…${text.slice(text.length - end)}`;
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
