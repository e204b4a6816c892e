import { readFileSync } from 'node:fs';
import { goals } from './goals.ts';
import { goalsTable } from './goals-table.ts';
import { isolationText } from './isolation/document.ts';
import { markdownTable } from './markdown-table.ts';
import { contestants } from './process/contestants.ts';
import { ratioText } from './report.ts';
import { ratio } from './results.ts';
import { label, machinesText, sectionText } from './section-text.ts';
import type { Section } from './sections.ts';
import { storeText } from './traces/document.ts';
import type { StoreFigures } from './traces/figures.ts';

const template = new URL('performance.md', import.meta.url);

/** docs/performance.md: the text of `performance.md` with tables where it has names in braces. */
export function performanceDocument(
  sections: readonly Section[],
  isolation: readonly Section[],
  stores: readonly StoreFigures[],
): string {
  const rows = sections.flatMap((section) => section.rows);
  const parts: Record<string, string> = {
    contestants: Object.entries(contestants)
      .map(([name, { about }]) => `- **${name}**: ${about}`)
      .join('\n'),
    machine: machinesText(sections),
    dates: datesOf(sections),
    goals: goalsTable(goals, rows),
    ratios: ratiosTable(sections),
    figures: sections.map((section) => sectionText(section)).join('\n\n'),
    isolation: isolationText(isolation),
    store: stores.map(storeText).join('\n\n'),
  };
  return readFileSync(template, 'utf8').replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => parts[name] ?? '');
}

function datesOf(sections: readonly Section[]): string {
  const days = [...new Set(sections.map(({ date }) => date.slice(0, 10)))].sort();
  return days.length > 1 ? `${days[0]} to ${days.at(-1)}` : (days[0] ?? '');
}

/** Our figures divided by those of each other contestant. */
function ratiosTable(sections: readonly Section[]): string {
  const others = Object.keys(contestants).filter((name) => name !== 'ours');
  const rows = sections
    .flatMap((section) => section.rows)
    .map((row) => [label(row), ...others.map((other) => ratioText(ratio(row, other)))])
    .filter((cells) => cells.slice(1).some((cell) => cell !== '-'));
  return markdownTable(['', ...others.map((other) => `ours/${other}`)], rows);
}
