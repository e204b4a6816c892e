import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { codeBlocks, DOCUMENTS } from './support/document.ts';

const markdownIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join(folder, file));

/** All Markdown files of the repository that people read. */
const MARKDOWN = [
  ...DOCUMENTS,
  ...['ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...['deploy', 'examples'].flatMap(markdownIn),
];

interface Link {
  readonly document: string;
  readonly file: string;
  readonly heading: string | undefined;
}

/** Returns the links and pictures of a document that lead to files. */
const linksOf = (document: string): Link[] =>
  [...readFileSync(document, 'utf8').matchAll(/\]\((?!\w+:)([^)#]*)(?:#([^)]*))?\)/g)].map(([, file, heading]) => ({
    document,
    file: file ? join(dirname(document), file) : document,
    heading,
  }));

test('names only targets of make that exist', () => {
  const makefile = readFileSync('Makefile', 'utf8');

  const named = MARKDOWN.flatMap((document) => [
    ...readFileSync(document, 'utf8').matchAll(/(?:`|^)make ([a-z0-9-]+)/gm),
  ]).map(([, target]) => target);

  expect(named).toContain('start');
  expect(named.filter((target) => !new RegExp(`^${target}:`, 'm').test(makefile))).toEqual([]);
});

test('calls the command npx ors-kit in all documents', () => {
  const inText = /`?(npx ors|npm run -s ors --)[ `]/;
  const inShell = /^(?:\w+=\S+ )*ors [a-z]/m;

  const texts = DOCUMENTS.filter((document) => inText.test(readFileSync(document, 'utf8')));
  const blocks = DOCUMENTS.flatMap(codeBlocks).filter(({ info, code }) => info === 'sh' && inShell.test(code));

  expect([...texts, ...blocks.map(({ place }) => place)]).toEqual([]);
});

test('links only to files and headings that exist', () => {
  const links = MARKDOWN.flatMap(linksOf);

  const broken = links.filter(
    ({ file, heading }) => !existsSync(file) || !(heading === undefined || headingsOf(file).includes(heading)),
  );

  expect(broken).toEqual([]);
  expect(links.length).toBeGreaterThan(300);
});

test('links from packaged documents only to packaged files', () => {
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    encoding: 'utf8',
    env: { ...process.env, npm_config_update_notifier: 'false' },
  });
  const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
  const packed = new Set(files.map(({ path }) => path));

  const links = [...packed].filter((file) => file.endsWith('.md')).flatMap(linksOf);

  expect(links.filter(({ file }) => !packed.has(file))).toEqual([]);
  expect(links.length).toBeGreaterThan(150);
});

test('docs/README.md lists every page for users', () => {
  const listed = linksOf('docs/README.md').map(({ file }) => file);

  const pages = DOCUMENTS.filter((file) => !/README\.md$|^docs\/(?:decisions|development)\//.test(file));

  expect(pages.filter((page) => !listed.includes(page))).toEqual([]);
});

test('docs/api-reference.md lists every import of the package', () => {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
  const imports = Object.keys(exports).map((entry) => entry.replace('.', 'ors-kit'));

  const listed = readFileSync('docs/api-reference.md', 'utf8').matchAll(/^\| `(ors-kit[^`]*)`/gm);

  expect([...listed].map(([, name]) => name).sort()).toEqual(imports.sort());
});

const headingsOf = (file: string): string[] =>
  Array.from(readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm), ([, text = '']) =>
    text
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
