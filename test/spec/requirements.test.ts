import { expect, test } from '@jest/globals';
import {
  findCoverageProblems,
  findDocumentProblems,
  findRowProblems,
  type Requirements,
  readHeadings,
  readRequirements,
} from '../../scripts/check-requirements.ts';
import { readMessages, schemaSets } from './golden-messages.ts';

const source = { document: 'ors-http-api', heading: 'GET /health' };
const row = { id: 'ORS-DISC-001', level: 'must' as const, sentence: 'Health answers.', source };
const rows = (...requirements: Requirements['requirements']): Requirements => ({ requirements, informative: [] });

test('finds a unique id, a level, a sentence and a source in every requirement', () => {
  expect(findRowProblems(readRequirements())).toEqual([]);
});

test('finds every heading of the documents covered, and every source among the headings', () => {
  expect(findCoverageProblems(readRequirements(), readHeadings())).toEqual([]);
});

test('finds no id twice', () => {
  const ids = readRequirements().requirements.map(({ id }) => id);

  expect(new Set(ids).size).toBe(ids.length);
});

test.each([
  ['a duplicate id', rows(row, row), 'duplicate id'],
  ['an id of another form', rows({ ...row, id: 'health-1' }), 'invalid id'],
  // @ts-expect-error: the level is invalid on purpose
  ['an unknown level', rows({ ...row, level: 'shall' }), 'level "shall"'],
  ['half a sentence', rows({ ...row, sentence: 'Health' }), 'full stop'],
  // @ts-expect-error: the flag is invalid on purpose
  ['an unknown flag', rows({ ...row, contestd: true }), 'contestd'],
])('rejects a row with %s', (_name, requirements, problem) => {
  expect(findRowProblems(requirements)).toEqual([expect.stringContaining(problem)]);
});

test.each([
  ['a heading without a reference', rows(), { 'ors-http-api': ['GET /health'] }, 'has neither'],
  ['a source without a heading', rows(row), { 'ors-http-api': [] }, 'unknown heading'],
  ['a source in an unknown document', rows(row), {}, 'unknown heading'],
  [
    'a heading that is informative and has rows',
    { requirements: [row], informative: [{ ...source, reason: 'A title.' }] },
    { 'ors-http-api': ['GET /health'] },
    'remove one',
  ],
])('rejects %s', (_name, requirements, headings, problem) => {
  expect(findCoverageProblems(requirements, headings)).toEqual([expect.stringContaining(problem)]);
});

test.each([
  ['a separate line', 'Text.\n\nBlock Types\n\nText.', ['Block Types'], []],
  ['a Markdown heading', '```\n# a comment\n```\n## GET /list\\_environments', ['GET /list_environments'], []],
  ['part of a line only', 'All Block Types are here.', ['Block Types'], ['"Block Types" is not a line']],
  ['out of order', 'B\nA', ['A', 'B'], ['"B" is not a line']],
  ['not listed', '```\n```\n# Title', [], ['"Title" is a heading of the document but not listed']],
])('judges a listed heading that is %s', (_name, text, headings, problems) => {
  const found = findDocumentProblems('ors-data-types', text, headings);

  expect(found).toEqual(problems.map((problem) => expect.stringContaining(problem)));
});

test.each(schemaSets)(
  'finds at least 3 valid and 4 invalid messages for every schema of $folder',
  ({ folder, names }) => {
    const files = readMessages(folder);

    const scant = files.filter(({ messages }) => messages.valid.length < 3 || messages.invalid.length < 4);

    expect(files.map(({ messages }) => messages.schema)).toEqual(names.toSorted());
    expect(files.map(({ file }) => file)).toEqual(names.toSorted());
    expect(scant.map(({ file }) => file)).toEqual([]);
  },
);

test.each(schemaSets)('finds every source of a message in $folder among the headings', ({ folder }) => {
  const headings = Object.entries(readHeadings()).flatMap(([document, texts]) =>
    texts.map((heading) => `${document}: ${heading}`),
  );

  const sources = readMessages(folder).flatMap(({ messages }) => messages.valid.map(({ source }) => source));

  expect(sources.filter((source) => source !== undefined && !headings.includes(source))).toEqual([]);
});

test.each(schemaSets)('finds no message name of $folder twice', ({ folder }) => {
  const twice = readMessages(folder).filter(({ messages: { valid, invalid } }) =>
    [valid, invalid].some((list) => new Set(list.map(({ name }) => name)).size < list.length),
  );

  expect(twice.map(({ file }) => file)).toEqual([]);
});
