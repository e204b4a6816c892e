import { expect, test } from '@jest/globals';
import { createTable, type TableColumn, type Terminal } from '../../src/cli/terminal/terminal.ts';

interface Row {
  readonly id: string;
  readonly run: string;
  readonly step: string;
}

const COLUMNS: readonly TableColumn<Row>[] = [
  { title: 'TRACE', text: ({ id }) => id },
  { title: 'STATUS', text: () => 'finished', optional: 1 },
  { title: 'CREATED', text: () => '2026-01-02 03:04:05', optional: 2 },
  { title: 'RUN', text: ({ run }) => run, minWidth: 12 },
  { title: 'STEP', text: ({ step }) => step, isRight: true, omitsEmpty: true },
];
const ID = 'tr_01k2m3n4p5q6r7s8t9v0w1x2y3';
const ROW: Row = { id: ID, run: 'first-run', step: '7' };

function printed(width: number, rows: readonly (readonly Row[])[], isInteractive = true): string[] {
  let text = '';
  const style = (_: string, each: string) => each;
  const print = (each: string) => {
    text += each;
  };
  const terminal: Terminal = { isInteractive, width, style, print };
  const show = createTable(COLUMNS, terminal);
  for (const page of rows) show(page);
  return text.trimEnd().split('\n');
}

test('shows all columns if they fit', () => {
  const lines = printed(80, [[ROW]]);

  expect(lines[0]?.split(/ {2,}/)).toEqual(['TRACE', 'STATUS', 'CREATED', 'RUN', 'STEP']);
  expect(lines[1]).toBe(`${ID}  finished  2026-01-02 03:04:05  first-run     7`);
});

test('leaves out the least important columns, and names them', () => {
  const [note, titles, row] = printed(60, [[ROW]]);

  expect(note).toBe('left out, for a wider terminal: CREATED');
  expect(titles?.split(/ {2,}/)).toEqual(['TRACE', 'STATUS', 'RUN', 'STEP']);
  expect(row).toBe(`${ID}  finished  first-run     7`);
});

test('shortens a long run in the middle, and keeps the step', () => {
  const lines = printed(60, [[{ ...ROW, run: 'countdown-test-gpt-5-20260102-030405' }]]);

  expect(lines.at(-1)).toBe(`${ID}  countdown-t…0102-030405     7`);
  expect(lines.every((line) => line.length <= 60)).toBe(true);
});

test('omits a column without values', () => {
  const [, titles] = printed(60, [[{ ...ROW, step: '-' }]]);

  expect(titles?.split(/ {2,}/)).toEqual(['TRACE', 'STATUS', 'RUN']);
});

test('shortens later rows on a terminal only', () => {
  const long = { ...ROW, run: 'a-run-with-a-name-that-is-longer-than-all-before' };

  const [, short = '', cut = ''] = printed(80, [[ROW], [long]]);
  expect(cut).toHaveLength(short.length);
  expect(cut).toContain('a-ru…fore');
  expect(printed(40, [[ROW], [long]], false).at(-1)).toContain(long.run);
});
