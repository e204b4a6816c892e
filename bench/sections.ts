import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Metric } from './measures/measure.ts';
import { hardwareText, loadText } from './report.ts';
import type { Fault, Results, Row } from './results.ts';

/** What one measure found, and where and when. */
export interface Section<Of extends Metric = Metric> {
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
  rows: Row<Of>[];
  notes: string[];
  faults: Fault[];
}

const figures = new URL('../.cache/bench/figures/', import.meta.url);

export function sectionOf<Of extends Metric>(
  part: { name: string; about: string },
  results: Results<Of>,
  { names, pinning }: { names: readonly string[]; pinning: string },
): Section<Of> {
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

/** Keeps a section until the same measure of the same subject is run again. */
export function keepSection(section: Section, subject = ''): void {
  writeFileSync(`${folderOf(subject)}${section.measure}.json`, JSON.stringify(section, null, 2));
}

/** The sections of these measures that are kept, in their order. */
export function keptSections<Of extends Metric = Metric>(measures: readonly string[], subject = ''): Section<Of>[] {
  const folder = folderOf(subject);
  const files = readdirSync(folder);
  return measures
    .filter((measure) => files.includes(`${measure}.json`))
    .map((measure) => JSON.parse(readFileSync(`${folder}${measure}.json`, 'utf8')));
}

function folderOf(subject: string): string {
  const folder = fileURLToPath(new URL(subject === '' ? '.' : `${subject}/`, figures));
  mkdirSync(folder, { recursive: true });
  return folder;
}
