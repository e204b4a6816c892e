import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { codeBlocks, DOCUMENTS } from './support/document.ts';

test('every target of make that the documents name is there', () => {
  const makefile = readFileSync('Makefile', 'utf8');

  const named = [...DOCUMENTS, 'ARCHITECTURE.md', 'CONTRIBUTING.md']
    .flatMap((document) => [...readFileSync(document, 'utf8').matchAll(/(?:`|^)make ([a-z0-9-]+)/gm)])
    .map(([, target]) => target);

  expect(named).toContain('start');
  expect(named.filter((target) => !new RegExp(`^${target}:`, 'm').test(makefile))).toEqual([]);
});

test('the documents spell the command in one way, npx ors-kit', () => {
  const inText = /`?(npx ors|npm run -s ors --)[ `]/;
  const inShell = /^(?:\w+=\S+ )*ors [a-z]/m;

  const texts = DOCUMENTS.filter((document) => inText.test(readFileSync(document, 'utf8')));
  const blocks = DOCUMENTS.flatMap(codeBlocks).filter(({ info, code }) => info === 'sh' && inShell.test(code));

  expect([...texts, ...blocks.map(({ place }) => place)]).toEqual([]);
});

test('every link of the documents to a file leads to one that is there, and to a heading that it has', () => {
  const links = DOCUMENTS.flatMap((document) =>
    [...readFileSync(document, 'utf8').matchAll(/\]\((?!\w+:)([^)#]*)(?:#([^)]*))?\)/g)].map(([, file, heading]) => ({
      document,
      file: file ? join(dirname(document), file) : document,
      heading,
    })),
  );

  const broken = links.filter(
    ({ file, heading }) => !existsSync(file) || !(heading === undefined || headingsOf(file).includes(heading)),
  );

  expect(broken).toEqual([]);
  expect(links.length).toBeGreaterThan(40);
});

const headingsOf = (file: string): string[] =>
  Array.from(readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm), ([, text = '']) =>
    text
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
