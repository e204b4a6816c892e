import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { hardwareText, loadText } from './report.ts';
import type { Fault, Results, Row } from './results.ts';

/** What one measure found, and where and when. */
export interface Section {
  measure: string;
  about: string;
  /** Day and time, in UTC. */
  date: string;
  machine: string;
  /** How busy the machine was. */
  load: string;
  pinning: string;
  /** Those that have figures, in the order of the columns. */
  contestants: string[];
  rows: Row[];
  notes: string[];
  faults: Fault[];
}

const folder = fileURLToPath(new URL('../.cache/bench/figures/', import.meta.url));

export function sectionOf(
  part: { name: string; about: string },
  results: Results,
  { names, pinning }: { names: readonly string[]; pinning: string },
): Section {
  const { rows, faults, notes } = results;
  const has = (name: string) => rows.some(({ figures }) => figures[name] !== undefined);
  const others = [...new Set(rows.flatMap(({ figures }) => Object.keys(figures)))].filter(
    (name) => !names.includes(name),
  );
  return {
    measure: part.name,
    about: part.about,
    date: new Date().toISOString().slice(0, 16).replace('T', ' '),
    machine: hardwareText(),
    load: loadText(),
    pinning,
    contestants: [...names.filter(has), ...others],
    rows,
    notes: [...notes],
    faults,
  };
}

/** Keeps a section until the same measure is run again. */
export function keepSection(section: Section): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}${section.measure}.json`, JSON.stringify(section, null, 2));
}

/** The sections of these measures that are kept, in their order. */
export function keptSections(measures: readonly string[]): Section[] {
  mkdirSync(folder, { recursive: true });
  const files = readdirSync(folder);
  return measures
    .filter((measure) => files.includes(`${measure}.json`))
    .map((measure) => JSON.parse(readFileSync(`${folder}${measure}.json`, 'utf8')));
}
