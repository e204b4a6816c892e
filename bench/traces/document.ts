import { markdownTable } from '../markdown-table.ts';
import { machinesText, sectionText, upperFirst, whenText } from '../section-text.ts';
import type { StoreFigures } from './figures.ts';
import { growthGoals } from './growth-goals.ts';
import { storeTable } from './table.ts';

/** The figures of the store on one engine, and which were not measured. */
export function storeText({ engine, about, sections, extras, absent }: StoreFigures): string {
  const notes = new Set(sections.flatMap((section) => section.notes));
  const paragraphs = [
    `### ${engine}`,
    `${upperFirst(about)}.`,
    ...(sections.length === 0 ? [] : [machinesText(sections), tableText(sections), ...notes, timesText(sections)]),
    ...(absent.length === 0 ? [] : [`Not measured: ${absent.join(', ')}.`]),
    ...extras.flatMap((section) => [sectionText(section, `${engine}, ${section.measure}`), growthGoals(section)]),
  ];
  return paragraphs.join('\n\n');
}

function tableText(sections: StoreFigures['sections']): string {
  const [header = [], ...lines] = storeTable(
    sections.flatMap(({ rows }) => rows),
    '**not met**',
  );
  return markdownTable(header, lines);
}

const timesText = (sections: StoreFigures['sections']): string =>
  `Measured: ${sections.map(({ measure, ...at }) => `${measure} ${whenText(at)}`).join('; ')}.`;
