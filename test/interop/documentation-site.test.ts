import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openPage, violationsIn } from './chromium.ts';
import { describeInBrowser } from './in-browser.ts';

const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  exports: Record<string, { types?: string }>;
};

/**
 * Pages of every kind: the index, guides with code, tables and pictures, and the reference. Axe tests a guide and a page of
 * the reference as a whole, and the content of another one of each, because pages are alike around their content.
 */
const PAGES: readonly (readonly [path: string, axe: 'html' | 'main' | 'none'])[] = [
  ['index.html', 'none'],
  ['README.html', 'none'],
  ['docs/environments.html', 'html'],
  ['docs/traces.html', 'none'],
  ['docs/viewer.html', 'main'],
  ['docs/cookbook/runs.html', 'none'],
  ['docs/troubleshooting.html', 'none'],
  ['docs/api-reference.html', 'none'],
  ['docs/conformance-checks.html', 'none'],
  ['docs/development/performance.html', 'none'],
  ['modules/ors-kit_server.html', 'none'],
  ['classes/ors-kit_client.OrsClient.html', 'html'],
  ['functions/ors-kit.defineEnvironment.html', 'none'],
  ['interfaces/ors-kit_rollout.RolloutOptions.html', 'main'],
];

let site: string;

beforeAll(async () => {
  await mkdir('.cache', { recursive: true });
  site = await mkdtemp('.cache/site-');
  const typedoc = 'node_modules/typedoc/bin/typedoc';
  await promisify(execFile)(process.execPath, [typedoc, '--out', site], { timeout: 240_000 });
}, 250_000);
afterAll(() => rm(site, { recursive: true, force: true }));

const htmlFiles = () =>
  readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html'));

test('links only to files and elements that exist', () => {
  const pages = new Map(htmlFiles().map((file) => [file, readFileSync(join(site, file), 'utf8')]));

  const links = [...pages].flatMap(([page, html]) =>
    [...html.matchAll(/\b(?:href|src)="(?![a-z]+:)([^"#?]*)[^"#]*(?:#([^"]*))?"/g)].map(([, path, id]) => ({
      page,
      file: path ? join(dirname(page), decodeURI(path)) : page,
      id: id && decodeURIComponent(id),
    })),
  );

  // A script adds the icons to each page.
  const icons = readFileSync(join(site, 'assets/icons.js'), 'utf8');
  const hasElement = (file: string, id: string) => `${pages.get(file)}${icons}`.includes(` id="${id}"`);
  const isBroken = ({ file, id }: { file: string; id: string | undefined }) =>
    !existsSync(join(site, file)) || file.endsWith('/') || (id && !hasElement(file, id));
  expect(links.filter(isBroken)).toEqual([]);
  expect(links.length).toBeGreaterThan(10_000);
});

test('contains the pages of every role, and the reference of every import', () => {
  const files = new Set(htmlFiles());

  for (const [page] of PAGES) expect(files).toContain(page);
  const entries = Object.keys(exports).filter((entry) => exports[entry]?.types);
  for (const entry of entries)
    expect(files).toContain(`modules/${entry.replace('.', 'ors-kit').replaceAll('/', '_')}.html`);
});

describeInBrowser('the documentation')('without a server', () => {
  const open = (page: string) => openPage(pathToFileURL(join(site, page)).href);
  const NAVIGATION = 'document.querySelector("#tsd-nav-container summary")';

  test.each(PAGES)(
    '%s loads nothing from a network and fits on a phone (passes axe in both themes: %s)',
    async (path, axe) => {
      await using page = await open(path);
      await page.until(NAVIGATION);

      // Before axe, which tries to fetch the style sheets.
      expect([page.console, [...page.hosts]]).toEqual([[], []]);
      if (axe !== 'none') {
        expect(await violationsIn(page, undefined, axe)).toEqual([]);
        await page.tab.emulateMedia({ colorScheme: 'dark' });
        expect(await violationsIn(page, ['color-contrast'], axe)).toEqual([]);
      }
      await page.tab.setViewportSize({ width: 390, height: 844 });
      await page.until('document.documentElement.scrollWidth === 390');
    },
  );

  test.each([
    ['getting started', 'docs/getting-started.html'],
    ['rate limit', 'docs/cookbook/servers.html#limit-the-rate-of-a-caller'],
    ['kubernetes', 'docs/scaling.html#use-kubernetes'],
    ['OrsClient', 'classes/ors-kit_client.OrsClient.html'],
  ])('a search for %s leads to %s', async (words, target) => {
    await using page = await open('docs/environments.html');
    await page.until(NAVIGATION);

    await page.tab.keyboard.press('/');
    await page.tab.keyboard.type(words);
    await page.tab.locator(`#tsd-search-results a[href$="${target}"]`).click();

    await page.until(`location.href.endsWith(${JSON.stringify(target)})`);
    await page.until('!location.hash || document.querySelector(location.hash)');
    expect(page.console).toEqual([]);
  });

  test('lists the roles in the navigation, and links names in guides to their reference', async () => {
    await using page = await open('docs/client.html');
    await page.until(NAVIGATION);

    const headings = await page.tab.locator('#tsd-nav-container > li > details > summary').allInnerTexts();
    await page.tab.locator('main a:has(> code:text-is("OrsClient"))').first().click();

    expect(headings.map((text) => text.trim())).toEqual([
      ...['Start', 'Authors', 'Trainers', 'Evaluators', 'Operators', 'Implementers', 'Reference', 'Development'],
      'API reference',
    ]);
    await page.until('document.querySelector("h1")?.textContent.startsWith("Class OrsClient")');
  });
});
