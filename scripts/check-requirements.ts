/**
 * Checks that spec/requirements.yaml covers every heading of the standard's documents.
 *
 * npx tsx scripts/check-requirements.ts [documentsFolder]
 *
 * Prints one line per problem, and exits with 1 if there are any. The documents are not needed: their headings are
 * listed in spec/headings.yaml. With a folder that contains them as <document>.md, that list is checked too.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const levels: readonly unknown[] = ['must', 'should', 'may'];
const FLAGS: readonly string[] = ['contested', 'unstated', 'extension'];

/** Source of a requirement: a document of the standard, without `.md`, and a heading in it. */
export interface RequirementSource {
  document: string;
  heading: string;
}

/** A sentence that an implementation can break. */
export interface Requirement {
  id: string;
  level: 'must' | 'should' | 'may';
  sentence: string;
  source: RequirementSource;
  contested?: true;
  unstated?: true;
  extension?: true;
  /** Reason why the conformance suite has no check for it. */
  unchecked?: string;
}

/** The two lists of spec/requirements.yaml. */
export interface Requirements {
  requirements: Requirement[];
  informative: (RequirementSource & { reason: string })[];
}

/** Heading texts in document order, by document. */
export type Headings = Record<string, string[]>;

const spec = (name: string): unknown =>
  parse(readFileSync(fileURLToPath(new URL(`../spec/${name}`, import.meta.url)), 'utf8'));

/** Reads spec/requirements.yaml; `findRowProblems` validates it. */
export const readRequirements = (): Requirements => spec('requirements.yaml') as Requirements;

/** Reads spec/headings.yaml. */
export const readHeadings = (): Headings => spec('headings.yaml') as Headings;

/** Lists invalid ids, levels, sentences and flags of the rows. */
export function findRowProblems({ requirements, informative }: Requirements): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const { id, level, sentence, source, unchecked, ...flags } of requirements) {
    if (!/^(ORS-[A-Z]{3,4}|TRACE)-\d{3}$/.test(id))
      problems.push(`invalid id '${id}': expected the form ORS-SESS-012 or TRACE-012`);
    if (seen.has(id)) problems.push(`${id}: duplicate id; change that of the second row`);
    seen.add(id);
    if (!levels.includes(level)) problems.push(`${id}: invalid level "${level}": expected must, should or may`);
    if (!/^\S.*\.$/s.test(sentence ?? ''))
      problems.push(`${id}: the sentence is missing or does not end with a full stop`);
    if (unchecked !== undefined && !/^\S.*\.$/s.test(unchecked))
      problems.push(`${id}: "unchecked" must be a sentence with the reason, ending with a full stop`);
    if (!source?.document || !source.heading) problems.push(`${id}: source needs a document and a heading`);
    for (const [name, value] of Object.entries(flags)) {
      if (!FLAGS.includes(name) || value !== true)
        problems.push(`${id}: invalid flag "${name}: ${value}": expected ${FLAGS.join(', ')}, with the value true`);
    }
  }
  for (const { document, heading, reason } of informative) {
    if (!reason) problems.push(`informative ${document}: "${heading}" has no reason`);
  }
  return problems;
}

/** Lists headings without a reference, and references to unknown headings. */
export function findCoverageProblems({ requirements, informative }: Requirements, headings: Headings): string[] {
  const key = ({ document, heading }: RequirementSource) => `${document}: "${heading}"`;
  const listed = new Set(
    Object.entries(headings).flatMap(([document, texts]) => texts.map((heading) => key({ document, heading }))),
  );
  const stated = new Set(requirements.map(({ source }) => key(source)));
  const informed = new Set(informative.map(key));
  return [
    ...[...listed]
      .filter((heading) => !stated.has(heading) && !informed.has(heading))
      .map((heading) => `${heading} has neither a requirement nor an informative entry`),
    ...requirements
      .filter(({ source }) => !listed.has(key(source)))
      .map(({ id, source }) => `${id}: unknown heading ${key(source)}`),
    ...[...informed]
      .filter((heading) => !listed.has(heading))
      .map((heading) => `informative: unknown heading ${heading}`),
    ...[...informed]
      .filter((heading) => stated.has(heading))
      .map((heading) => `${heading} has both requirements and an informative entry; remove one`),
  ];
}

/** Removes the markup of a line: `### POST /create\_session` becomes `POST /create_session`. */
const stripMarkup = (line: string): string =>
  line
    .replaceAll('\\', '')
    .replace(/^[\s#>•*\-{}()\]();]+/, '')
    .trim();

/**
 * Lists headings that are not lines of the document in this order, and `#` headings of a Markdown document that are not
 * listed.
 */
export function findDocumentProblems(document: string, text: string, headings: string[]): string[] {
  const problems: string[] = [];
  const lines = text.split(/\r?\n/);
  const stripped = lines.map(stripMarkup);
  let after = 0;
  for (const heading of headings) {
    const found = stripped.indexOf(heading, after);
    if (found >= 0) after = found + 1;
    else problems.push(`${document}: "${heading}" is not a line of the document after the headings before it`);
  }
  // Without code fences, a heading cannot be distinguished from a comment in a code sample.
  if (!text.includes('```')) return problems;
  let fenced = false;
  for (const line of lines) {
    if (line.startsWith('```')) fenced = !fenced;
    if (!fenced && /^#+ /.test(line) && !headings.includes(stripMarkup(line)))
      problems.push(`${document}: "${stripMarkup(line)}" is a heading of the document but not listed`);
  }
  return problems;
}

function findFolderProblems(folder: string, headings: Headings): string[] {
  return Object.entries(headings).flatMap(([document, texts]) => {
    const file = join(folder, `${document}.md`);
    if (!existsSync(file)) return [`${file} does not exist; pass the folder of the documents`];
    return findDocumentProblems(document, readFileSync(file, 'utf8'), texts);
  });
}

function main(folder: string | undefined): void {
  const rows = readRequirements();
  const headings = readHeadings();
  const problems = [
    ...findRowProblems(rows),
    ...findCoverageProblems(rows, headings),
    ...(folder === undefined ? [] : findFolderProblems(folder, headings)),
  ];
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else
    console.log(`${rows.requirements.length} requirements cover all ${Object.values(headings).flat().length} headings`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv[2]);
