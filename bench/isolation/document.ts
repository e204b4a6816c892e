import { isolationGoals } from '../goals.ts';
import { goalsTable } from '../goals-table.ts';
import { machinesText, sectionText } from '../section-text.ts';
import type { Section } from '../sections.ts';
import { isolationParts, modePairs } from './parts.ts';

/** The figures of an environment in several modes, and which were not measured. */
export function isolationText(sections: readonly Section[]): string {
  const rows = sections.flatMap((section) => section.rows);
  const isKept = (name: string) => sections.some(({ measure }) => measure === name);
  const absent = isolationParts.map(({ name }) => name).filter((name) => !isKept(name));
  const paragraphs = [
    ...(sections.length === 0 ? [] : [machinesText(sections), goalsTable(isolationGoals, rows)]),
    ...sections.map((section) => sectionText(section, `${section.measure}, by mode`, modePairs)),
    ...(absent.length === 0 ? [] : [`Not measured: ${absent.join(', ')}.`]),
  ];
  return paragraphs.join('\n\n');
}
