import { expect, test } from '@jest/globals';
import {
  problemsOfCoverage,
  problemsOfDocument,
  problemsOfRows,
  type Requirements,
  readHeadings,
  readRequirements,
} from '../../scripts/check-requirements.ts';
import { readMessages, schemaSets } from './golden-messages.ts';

const source = { document: 'ors-http-api', heading: 'GET /health' };
const row = { id: 'ORS-DISC-001', level: 'must' as const, sentence: 'Health answers.', source };
const rows = (...requirements: Requirements['requirements']): Requirements => ({ requirements, informative: [] });

test('every requirement has an id of its own, a level, a sentence and a source', () => {
  expect(problemsOfRows(readRequirements())).toEqual([]);
});

test('every heading of the documents is covered, and every source is a heading', () => {
  expect(problemsOfCoverage(readRequirements(), readHeadings())).toEqual([]);
});

test('ids are unique', () => {
  const ids = readRequirements().requirements.map(({ id }) => id);

  expect(new Set(ids).size).toBe(ids.length);
});

test.each([
  ['an id twice', rows(row, row), 'used twice'],
  ['an id of another form', rows({ ...row, id: 'health-1' }), 'an id looks like'],
  // @ts-expect-error: the level is what the row is refused for
  ['an unknown level', rows({ ...row, level: 'shall' }), 'level "shall"'],
  ['half a sentence', rows({ ...row, sentence: 'Health' }), 'full stop'],
  // @ts-expect-error: the flag is what the row is refused for
  ['an unknown flag', rows({ ...row, contestd: true }), 'contestd'],
])('a row with %s is refused', (_name, requirements, problem) => {
  expect(problemsOfRows(requirements)).toEqual([expect.stringContaining(problem)]);
});

test.each([
  ['a heading that nothing refers to', rows(), { 'ors-http-api': ['GET /health'] }, 'has neither'],
  ['a source without a heading', rows(row), { 'ors-http-api': [] }, 'there is no heading'],
  ['a source in an unknown document', rows(row), {}, 'there is no heading'],
  [
    'a heading that is informative and has rows',
    { requirements: [row], informative: [{ ...source, reason: 'A title.' }] },
    { 'ors-http-api': ['GET /health'] },
    'remove one',
  ],
])('%s is refused', (_name, requirements, headings, problem) => {
  expect(problemsOfCoverage(requirements, headings)).toEqual([expect.stringContaining(problem)]);
});

test.each([
  ['a line of its own', 'Text.\n\nBlock Types\n\nText.', ['Block Types'], []],
  ['a Markdown heading', '```\n# a comment\n```\n## GET /list\\_environments', ['GET /list_environments'], []],
  ['part of a line only', 'All Block Types are here.', ['Block Types'], ['"Block Types" is not a line']],
  ['out of order', 'B\nA', ['A', 'B'], ['"B" is not a line']],
  ['not listed', '```\n```\n# Title', [], ['"Title" is a heading of the document but not listed']],
])('a heading of a document that is %s is judged so', (_name, text, headings, problems) => {
  const found = problemsOfDocument('ors-data-types', text, headings);

  expect(found).toEqual(problems.map((problem) => expect.stringContaining(problem)));
});

test.each(schemaSets)('every schema of $folder has at least 3 valid and 4 invalid messages', ({ folder, names }) => {
  const files = readMessages(folder);

  const scant = files.filter(({ messages }) => messages.valid.length < 3 || messages.invalid.length < 4);

  expect(files.map(({ messages }) => messages.schema)).toEqual(names.toSorted());
  expect(files.map(({ file }) => file)).toEqual(names.toSorted());
  expect(scant.map(({ file }) => file)).toEqual([]);
});

test.each(schemaSets)('every source of a message in $folder is a heading of a document', ({ folder }) => {
  const headings = Object.entries(readHeadings()).flatMap(([document, texts]) =>
    texts.map((heading) => `${document}: ${heading}`),
  );

  const sources = readMessages(folder).flatMap(({ messages }) => messages.valid.map(({ source }) => source));

  expect(sources.filter((source) => source !== undefined && !headings.includes(source))).toEqual([]);
});

test.each(schemaSets)('every message in $folder has a name of its own', ({ folder }) => {
  const twice = readMessages(folder).filter(({ messages: { valid, invalid } }) =>
    [valid, invalid].some((list) => new Set(list.map(({ name }) => name)).size < list.length),
  );

  expect(twice.map(({ file }) => file)).toEqual([]);
});
