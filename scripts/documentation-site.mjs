/**
 * TypeDoc plugin of the documentation site (`make docs`): orders the pages by role, as docs/README.md lists them, links
 * the names in them to the API reference, and makes the site work without a server and with assistive technology.
 */
import { readdirSync, readFileSync, renameSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Converter, DefaultTheme, KindRouter, PageEvent, ReflectionKind, RendererEvent } from 'typedoc';

const root = fileURLToPath(new URL('../', import.meta.url));
const { name: packageName, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Home page of the site. */
export const INDEX = 'docs/README.md';

const [introduction, ...sections] = readFileSync(join(root, INDEX), 'utf8').split(/^## /m);
const linkedPages = (markdown) => [...markdown.matchAll(/\]\(([^)#:]+\.md)\)/g)].map(([, file]) => join('docs', file));

/** Headings of the navigation, each with the Markdown files below it. A file may have several places. */
const chapters = [
  { text: 'Start', files: linkedPages(introduction) },
  ...sections.map((section) => ({ text: section.slice(0, section.indexOf('\n')), files: linkedPages(section) })),
  { text: 'Development', files: ['docs/development/performance.md', 'docs/development/conformance-mutants.md'] },
];

/** Markdown files of the site, without the home page. */
export const pages = [...new Set(chapters.flatMap(({ files }) => files))];

/** Entries of the package that have types, by the name that TypeDoc gives them: `ors-kit/server` by `server`. */
const imports = new Map(
  Object.entries(exports).flatMap(([entry, { types }]) =>
    types
      ? [[types.replace(/^\.\/dist\/src\/|\/?index\.d\.ts$/g, '') || 'index', entry.replace('.', packageName)]]
      : [],
  ),
);

const fileOf = (document) => relative(root, document.project.files.getReflectionPath(document));

function titleOf(document) {
  const [, title] = readFileSync(join(root, fileOf(document)), 'utf8').match(/^# (.+)$/m);
  return title === packageName ? 'Overview' : title.replaceAll('`', '');
}

/** Gives a page the path of its Markdown file: `docs/client.html`. */
class SiteRouter extends KindRouter {
  getIdealBaseName(reflection) {
    return reflection.isDocument() ? fileOf(reflection).replace(/\.md$/, '') : super.getIdealBaseName(reflection);
  }
}

class SiteTheme extends DefaultTheme {
  buildNavigation(project) {
    const documents = new Map(project.documents.map((document) => [fileOf(document), document]));
    const guides = chapters.map(({ text, files }) => ({
      text,
      children: files.map((file) => {
        const document = documents.get(file);
        return { text: document.name, path: this.router.getFullUrl(document), kind: ReflectionKind.Document };
      }),
    }));
    const modules = super.buildNavigation(project).filter(({ kind }) => kind === ReflectionKind.Module);
    return [...guides, { text: 'API reference', children: modules }];
  }
}

/** Returns the exports that the text of a page can name without ambiguity, and the entries, by name. */
function namedTargets(project) {
  const modules = project.getChildrenByKind(ReflectionKind.Module);
  const exported = modules.flatMap(({ children = [] }) => children).filter((child) => !child.isReference());
  const names = exported.map(({ name }) => name);
  // Names without a capital are also words, commands and fields.
  const unique = exported.filter(({ name }) => /[A-Z]/.test(name) && names.indexOf(name) === names.lastIndexOf(name));
  return new Map([...modules, ...unique].map((each) => [each.name, each]));
}

/** Links names such as `OrsClient` and `ors-kit/client` to their pages, except in links. */
const linkNames = (html, urlOf) =>
  html.replace(/<a [^>]*>.*?<\/a>|<code>([\w/-]+)(?:\(\))?<\/code>/gs, (whole, name) => {
    const url = name && urlOf(name);
    return url ? `<a href="${url}">${whole}</a>` : whole;
  });

/** Renumbers headings so that no level is skipped: h1, h4, h4 becomes h1, h2, h2. */
function closeHeadingGaps(html) {
  const outer = [];
  return html.replace(/<(\/?)h([1-6])(?=[\s>])/g, (_, slash, digit) => {
    if (slash) return `</h${outer.length}`;
    while (outer.at(-1) >= digit) outer.pop();
    outer.push(digit);
    return `<h${outer.length}`;
  });
}

/** Adds landmarks, and lets the keyboard scroll code. */
const addLandmarks = (html) =>
  html
    .replace('<div class="col-content">', '<main class="col-content">')
    .replace('</div><div class="col-sidebar">', '</main><aside class="col-sidebar" aria-label="Navigation">')
    .replace('</div></div><footer>', '</aside></div><footer>')
    .replace('<nav class="tsd-navigation">', '<nav class="tsd-navigation" aria-label="Pages">')
    .replace('id="tsd-search-input"', 'id="tsd-search-input" aria-label="Search"')
    .replaceAll('<pre><code', '<pre tabindex="0"><code');

/** Sources that a browser would download instead of showing them. */
const SOURCES = /\.(?:ts|mjs|py|ya?ml|cfg|conf)$/;

/** Links files instead of folders, which have no index without a server, and sources as text. */
const linkFiles = (html) =>
  html
    .replace(/href="((?:\.\.?\/)+)(#[^"]*)?"/g, 'href="$1index.html$2"')
    .replace(/href="([^"]*\bmedia\/[^"/]+)"/g, (link, file) => (SOURCES.test(file) ? `href="${file}.txt"` : link));

/** Plugin for TypeDoc. */
export function load({ converter, renderer }) {
  renderer.defineRouter('site', SiteRouter);
  renderer.defineTheme('site', SiteTheme);
  converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, document) => {
    document.name = titleOf(document);
  });
  converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.getChildrenByKind(ReflectionKind.Module)) module.name = imports.get(module.name);
  });
  let targets = new Map();
  renderer.on(RendererEvent.BEGIN, ({ project }) => {
    targets = namedTargets(project);
  });
  renderer.on(PageEvent.END, (page) => {
    const up = '../'.repeat(page.url.split('/').length - 1);
    const urlOf = (name) => targets.has(name) && up + renderer.router.getFullUrl(targets.get(name));
    const isGuide = page.model.isProject() || page.model.isDocument();
    const html = isGuide ? linkNames(page.contents, urlOf) : page.contents;
    page.contents = linkFiles(addLandmarks(closeHeadingGaps(html)));
  });
  // After the files have been copied.
  renderer.on(
    RendererEvent.END,
    ({ outputDirectory }) => {
      const media = join(outputDirectory, 'media');
      for (const file of readdirSync(media)) {
        if (SOURCES.test(file)) renameSync(join(media, file), join(media, `${file}.txt`));
      }
    },
    -1,
  );
}

/** Gives headings with code the same anchors as on GitHub: TypeDoc would leave out the code. */
export const keepCodeInAnchors = (parser) =>
  parser.core.ruler.push('code_in_anchors', ({ tokens }) => {
    const titles = tokens.filter((_, index) => tokens[index - 1]?.type === 'heading_open');
    for (const code of titles.flatMap(({ children }) => children).filter(({ type }) => type === 'code_inline'))
      code.children = [{ type: 'text', content: code.content }];
  });
