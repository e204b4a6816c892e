import { styleText } from 'node:util';
import { largest, truncate } from '../../core/index.ts';

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
