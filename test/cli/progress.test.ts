import { expect, test } from '@jest/globals';
import { createRunDisplay } from '../../src/cli/rollout/show-run.ts';
import { byteUnit, countUnit, createProgressBar, formatProgress } from '../../src/cli/terminal/progress.ts';
import { createTable, type Terminal } from '../../src/cli/terminal/terminal.ts';

function fakeTerminal(isInteractive: boolean) {
  const output: string[] = [];
  const terminal: Terminal = {
    isInteractive,
    width: 40,
    style: (_style, text) => text,
    print: (text) => void output.push(text),
  };
  return { terminal, output };
}

test.each([
  [
    countUnit('trace'),
    { done: 30, all: 120, seconds: 10 },
    '█████░░░░░░░░░░░░░░░ 30 of 120 traces  3 traces/s  30 s left',
  ],
  [countUnit('trace'), { done: 1, all: undefined, seconds: 2 }, '1 trace  0.50 traces/s  2 s'],
  [byteUnit, { done: 1024, all: 2048, seconds: 1 }, '██████████░░░░░░░░░░ 1 KiB of 2 KiB  1 KiB/s  1 s left'],
  [byteUnit, { done: 0, all: 0, seconds: 0 }, '████████████████████ 0 B of 0 B  0 B/s'],
])('progress has a bar, a rate and the time that is left', (unit, state, text) => {
  expect(formatProgress(unit, state)).toBe(text);
});

test('redraws progress on one line, and erases it at the end', () => {
  const { terminal, output } = fakeTerminal(true);
  const progress = createProgressBar(countUnit('trace'), terminal);

  progress.show(1, 2);
  progress.show(2, 2);
  progress.printLine('a line');
  progress[Symbol.dispose]();

  expect(output.every((text, at) => text.startsWith('\r\x1b[2K') || output[at - 1] === '\r\x1b[2K')).toBe(true);
  expect(output.at(-1)).toBe('\r\x1b[2K');
  expect(output.every((text) => text.replace('\r\x1b[2K', '').length < 40)).toBe(true);
});

test('prints lines but no progress into a pipe', () => {
  const { terminal, output } = fakeTerminal(false);
  const progress = createProgressBar(countUnit('trace'), terminal);

  progress.show(1, 2);
  progress.printLine('a line');
  progress[Symbol.dispose]();

  expect(output).toEqual(['a line\n']);
});

test('shows the groups of a run that are being compared after its last episode', () => {
  const { terminal, output } = fakeTerminal(true);
  const wide = { ...terminal, width: 120 };
  using display = createRunDisplay((text) => text, wide);
  const progress = { ended: 8, planned: 8, failed: 0, mean: 0.5 };

  for (const comparing of [2, 1, 0]) display.show({ ...progress, comparing });

  const notes = output.map((text) => text.split('  ').slice(2).join('  '));
  expect(notes).toEqual(['mean 0.500  comparing 2 groups', 'mean 0.500  comparing 1 group', 'mean 0.500']);
});

test('truncates a table to a terminal, not in a pipe', () => {
  const columns = [
    { title: 'N', text: ({ n }: { n: number }) => String(n), isRight: true },
    { title: 'TEXT', text: () => 'long '.repeat(20).trim() },
  ] as const;
  const [seen, piped] = [fakeTerminal(true), fakeTerminal(false)];

  for (const { terminal } of [seen, piped]) createTable(columns, terminal)([{ n: 100 }, { n: 2 }]);

  const lines = seen.output.join('').trimEnd().split('\n');
  expect(lines.map((line) => line.slice(0, 8))).toEqual(['  N  TEX', '100  lon', '  2  lon']);
  expect(Math.max(...lines.map((line) => line.length))).toBe(40);
  expect(piped.output.join('')).toMatch(/100 {2}(long ){19}long\n/);
});
