/**
 * Checks that spec/requirements.yaml covers every heading of the standard's documents.
 *
 *   npx tsx scripts/check-requirements.ts [documentsFolder]
 *
 * Prints what is wrong, one line each, and exits 1 if there is anything. The documents themselves are not needed: their
 * headings are listed in spec/headings.yaml. With a folder that holds them as <document>.md, that list is checked too.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const levels: readonly unknown[] = ['must', 'should', 'may'];

/** Where a requirement comes from: a document of the standard, without `.md`, and a heading in it. */
export interface Source {
  document: string;
  heading: string;
}

/** A sentence that an implementation can break. */
export interface Requirement {
  id: string;
  level: 'must' | 'should' | 'may';
  sentence: string;
  source: Source;
  contested?: true;
  unstated?: true;
  /** Why no check of the conformance suite holds an implementation against it. */
  unchecked?: string;
}

/** The two lists of spec/requirements.yaml. */
export interface Requirements {
  requirements: Requirement[];
  informative: (Source & { reason: string })[];
}

/** Heading texts in order, by document. */
export type Headings = Record<string, string[]>;

const spec = (name: string): unknown =>
  parse(readFileSync(fileURLToPath(new URL(`../spec/${name}`, import.meta.url)), 'utf8'));

/** Reads spec/requirements.yaml; its shape is what `problemsOfRows` checks. */
export const readRequirements = (): Requirements => spec('requirements.yaml') as Requirements;

/** Reads spec/headings.yaml. */
export const readHeadings = (): Headings => spec('headings.yaml') as Headings;

/** Tells what is wrong with single rows: their ids, levels, sentences and flags. */
export function problemsOfRows({ requirements, informative }: Requirements): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const { id, level, sentence, source, unchecked, ...flags } of requirements) {
    if (!/^(ORS-[A-Z]{3,4}|TRACE)-\d{3}$/.test(id)) problems.push(`${id}: an id looks like ORS-SESS-012 or TRACE-012`);
    if (seen.has(id)) problems.push(`${id}: the id is used twice; give the second row a new one`);
    seen.add(id);
    if (!levels.includes(level)) problems.push(`${id}: level "${level}" is none of must, should, may`);
    if (!/^\S.*\.$/s.test(sentence ?? ''))
      problems.push(`${id}: the sentence is missing or does not end in a full stop`);
    if (unchecked !== undefined && !/^\S.*\.$/s.test(unchecked))
      problems.push(`${id}: "unchecked" is a sentence that says why, and ends in a full stop`);
    if (!source?.document || !source.heading) problems.push(`${id}: source needs a document and a heading`);
    for (const [name, value] of Object.entries(flags)) {
      if (!['contested', 'unstated'].includes(name) || value !== true)
        problems.push(`${id}: "${name}: ${value}" is neither "contested: true" nor "unstated: true"`);
    }
  }
  for (const { document, heading, reason } of informative) {
    if (!reason) problems.push(`informative ${document}: "${heading}" gives no reason`);
  }
  return problems;
}

/** Tells which headings nothing refers to, and which references lead to no heading. */
export function problemsOfCoverage({ requirements, informative }: Requirements, headings: Headings): string[] {
  const key = ({ document, heading }: Source) => `${document}: "${heading}"`;
  const listed = new Set(
    Object.entries(headings).flatMap(([document, texts]) => texts.map((heading) => key({ document, heading }))),
  );
  const stated = new Set(requirements.map(({ source }) => key(source)));
  const told = new Set(informative.map(key));
  return [
    ...[...listed]
      .filter((heading) => !stated.has(heading) && !told.has(heading))
      .map((heading) => `${heading} has neither a requirement nor an informative entry`),
    ...requirements
      .filter(({ source }) => !listed.has(key(source)))
      .map(({ id, source }) => `${id}: there is no heading ${key(source)}`),
    ...[...told]
      .filter((heading) => !listed.has(heading))
      .map((heading) => `informative: there is no heading ${heading}`),
    ...[...told]
      .filter((heading) => stated.has(heading))
      .map((heading) => `${heading} has requirements and is called informative; remove one`),
  ];
}

/** The text of a line without the markup around it: `### POST /create\_session` gives `POST /create_session`. */
const bare = (line: string): string =>
  line
    .replaceAll('\\', '')
    .replace(/^[\s#>•*\-{}()\]();]+/, '')
    .trim();

/** Tells which listed headings are no lines of the document, in this order, and which of its `#` headings, if it is Markdown, are not listed. */
export function problemsOfDocument(document: string, text: string, headings: string[]): string[] {
  const problems: string[] = [];
  const lines = text.split(/\r?\n/);
  const bareLines = lines.map(bare);
  let after = 0;
  for (const heading of headings) {
    const found = bareLines.indexOf(heading, after);
    if (found >= 0) after = found + 1;
    else problems.push(`${document}: "${heading}" is not a line of the document after the headings before it`);
  }
  // Without fences nothing tells a heading from a comment in a code sample.
  if (!text.includes('```')) return problems;
  let fenced = false;
  for (const line of lines) {
    if (line.startsWith('```')) fenced = !fenced;
    if (!fenced && /^#+ /.test(line) && !headings.includes(bare(line)))
      problems.push(`${document}: "${bare(line)}" is a heading of the document but not listed`);
  }
  return problems;
}

function problemsOfFolder(folder: string, headings: Headings): string[] {
  return Object.entries(headings).flatMap(([document, texts]) => {
    const file = join(folder, `${document}.md`);
    if (!existsSync(file)) return [`${file} does not exist; name the folder that holds the documents`];
    return problemsOfDocument(document, readFileSync(file, 'utf8'), texts);
  });
}

function main(folder: string | undefined): void {
  const rows = readRequirements();
  const headings = readHeadings();
  const problems = [
    ...problemsOfRows(rows),
    ...problemsOfCoverage(rows, headings),
    ...(folder === undefined ? [] : problemsOfFolder(folder, headings)),
  ];
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else
    console.log(`${rows.requirements.length} requirements cover all ${Object.values(headings).flat().length} headings`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv[2]);
