import { largest, truncate } from '../../core/index.ts';
import type { Terminal } from './terminal.ts';

export interface TableColumn<Row> {
  readonly title: string;
  readonly text: (row: Row) => string;
  /** Of figures; the last column has no width. */
  readonly isRight?: true;
}

/** Prints rows below each other, in columns as wide as the first rows need; titles before them. */
export function createTable<Row>(columns: readonly TableColumn<Row>[], terminal: Terminal) {
  let widths: readonly number[] | undefined;
  // Whoever reads a pipe wants the lines whole.
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
