import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commitText, hardwareText, loadText } from './report.ts';
import type { Fault, Metric, Results, Row } from './results.ts';

/** The results of one measure, with the time, the machine and the commit. */
export interface Section<M extends Metric = Metric> {
  measure: string;
  about: string;
  /** Day and time, in UTC. */
  date: string;
  machine: string;
  /** The measured commit; missing in sections of older versions. */
  commit?: string;
  /** Load average of the machine. */
  load: string;
  /** Duration of the measure; missing in sections of older versions. */
  seconds?: number;
  pinning: string;
  /** Contestants that have figures, in the order of the columns. */
  contestants: string[];
  rows: Row<M>[];
  notes: string[];
  faults: Fault[];
}

/** The last full run of each part, with the values of its rounds, next to the document that summarizes them. */
const figuresFolder = new URL('../docs/development/performance/', import.meta.url);
/** Subject of the parts of `run.ts`. */
const SERVERS = 'servers';

/** @param from Start of the measure, by `performance.now()`. */
export function sectionOf<M extends Metric>(
  part: { name: string; about: string },
  results: Results<M>,
  { names, pinning, from }: { names: readonly string[]; pinning: string; from: number },
): Section<M> {
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
 * Saves a section for the document, in place of the previous one of the same measure and subject.
 *
 * @param shortened Options that made the run shorter than a full one. Neither such a section nor one with errors is
 * saved.
 * @returns a sentence with the duration, and whether the section was saved.
 */
export function saveSection(section: Section, shortened: readonly string[], subject = SERVERS): string {
  const { measure, seconds = 0, faults } = section;
  const reasons = [...shortened, ...(faults.length > 0 ? ['its errors'] : [])];
  const outcome = reasons.length === 0 ? 'saved' : `not saved because of ${reasons.join(' and ')}`;
  if (reasons.length === 0) {
    const file = fileOf(subject, measure);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, jsonOf(section));
  }
  return `${measure}: measured in ${seconds} s, ${outcome}`;
}

/** Loads the saved sections of these measures, in the same order. */
export function savedSections<M extends Metric = Metric>(measures: readonly string[], subject = SERVERS): Section<M>[] {
  return measures
    .map((measure) => fileOf(subject, measure))
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')));
}

/** Formats a section as JSON: a figure per line, with numbers of at most five digits. */
function jsonOf(section: Section): string {
  const rounded = (_key: string, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(5)) : value);
  const json = JSON.stringify(section, rounded, 2);
  return `${json.replaceAll(/\{[^{}]*"median"[^{}]*\}/g, (figure) => figure.replaceAll(/\s+/g, ' '))}\n`;
}

const fileOf = (subject: string, measure: string): string =>
  fileURLToPath(new URL(`${subject}/${measure}.json`, figuresFolder));

/** Lists how long the last full run of each part took, and the total. */
export function durationsText(parts: readonly { readonly name: string }[], subject = SERVERS): string {
  const saved = savedSections(
    parts.map(({ name }) => name),
    subject,
  );
  const known = saved.flatMap(({ measure, seconds }) => (seconds === undefined ? [] : [{ measure, seconds }]));
  const unknown = parts.map(({ name }) => name).filter((name) => !known.some(({ measure }) => measure === name));
  const total = known.reduce((sum, { seconds }) => sum + seconds, 0);
  return [
    ...(known.length > 0 ? [`The last full runs took ${durationText(total)} in total:`] : []),
    ...known.map(({ measure, seconds }) => `  ${measure.padEnd(10)} ${durationText(seconds)}`),
    ...(unknown.length > 0 ? [`Unknown durations: ${unknown.join(', ')}.`] : []),
  ].join('\n');
}

const durationText = (seconds: number): string =>
  seconds < 100 ? `${seconds} s` : `${(seconds / 60).toFixed(0)} minutes`;
