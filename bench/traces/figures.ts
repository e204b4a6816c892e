import { keptSections, type Section } from '../sections.ts';
import { type EngineName, engines, storeParts } from './parts.ts';
import type { StoreMetric } from './row.ts';

/** What is kept of the store on one engine. */
export interface StoreFigures {
  engine: EngineName;
  about: string;
  sections: Section<StoreMetric>[];
  /** Those that run only if they are asked for. */
  extras: Section[];
  /** The parts of which nothing is kept. */
  absent: string[];
}

/** Under this name the figures of an engine are kept. */
export const subjectOf = (engine: EngineName): string => `traces-${engine}`;

export function storeFigures(engine: EngineName): StoreFigures {
  const names = (isExtra: boolean) =>
    storeParts.filter((part) => (part.isExtra ?? false) === isExtra).map(({ name }) => name);
  const sections = keptSections<StoreMetric>(names(false), subjectOf(engine));
  const extras = keptSections(names(true), subjectOf(engine));
  const isKept = (name: string) => [...sections, ...extras].some(({ measure }) => measure === name);
  const absent = storeParts.map(({ name }) => name).filter((name) => !isKept(name));
  return { engine, about: engines[engine].about, sections, extras, absent };
}

/** What `make bench` measures here, and of which nothing is kept. */
export function unmeasured({ engine, absent }: StoreFigures): string[] {
  if (engines[engine].missing !== undefined) return [];
  const standing = storeParts.filter(({ isExtra, missing }) => !isExtra && missing === undefined);
  return standing.filter(({ name }) => absent.includes(name)).map(({ name }) => `${name} on ${engine}`);
}
