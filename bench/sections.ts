import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Metric } from './measures/measure.ts';
import { commitText, hardwareText, loadText } from './report.ts';
import type { Fault, Results, Row } from './results.ts';

/** What one measure found, and where and when. */
export interface Section<Of extends Metric = Metric> {
  measure: string;
  about: string;
  /** Day and time, in UTC. */
  date: string;
  machine: string;
  /** Of what was measured; those that were measured long ago do not say. */
  commit?: string;
  /** How busy the machine was. */
  load: string;
  /** How long it took; those that were measured long ago do not say. */
  seconds?: number;
  pinning: string;
  /** Those that have figures, in the order of the columns. */
  contestants: string[];
  rows: Row<Of>[];
  notes: string[];
  faults: Fault[];
}

const figures = new URL('../.cache/bench/figures/', import.meta.url);

/** @param from when it began, by `performance.now()`. */
export function sectionOf<Of extends Metric>(
  part: { name: string; about: string },
  results: Results<Of>,
  { names, pinning, from }: { names: readonly string[]; pinning: string; from: number },
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
    commit: commitText(),
    load: loadText(),
    seconds: Math.round((performance.now() - from) / 1_000),
    pinning,
    contestants: [...names.filter(has), ...others],
    rows,
    notes: [...notes],
    faults,
  };
}

/**
 * Keeps a section until the same measure of the same subject is run again in full.
 *
 * @param shortened the options that made less of it than a whole one: such a section is not kept, nor is one with faults.
 * @returns a sentence of how long it took, and whether it is kept.
 */
export function keepSection(section: Section, shortened: readonly string[], subject = ''): string {
  const { measure, seconds = 0, faults } = section;
  const reasons = [...shortened, ...(faults.length > 0 ? ['its faults'] : [])];
  const kept = reasons.length === 0 ? 'kept' : `not kept, for ${reasons.join(' and ')}`;
  if (reasons.length === 0) {
    writeFileSync(`${folderOf(subject)}${measure}.json`, JSON.stringify(section, null, 2));
  }
  return `${measure}: measured in ${seconds} s, ${kept}`;
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
