/**
 * TypeDoc plugin of the documentation site (`make docs`): orders the pages by role, as docs/README.md lists them, links
 * the names in them to the API reference, and makes the site work without a server and with assistive technology.
 */
import { readdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  Converter,
  DefaultTheme,
  DocumentReflection,
  IndexEvent,
  KindRouter,
  PageEvent,
  ReflectionKind,
  RendererEvent,
  Slugger,
} from 'typedoc';

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

/** Entries of the package that have types, by TypeDoc's name for them: `ors-kit/server` by `server`. */
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

/** Names a page by its Markdown file: `docs/client.html`. */
class SiteRouter extends KindRouter {
  getIdealBaseName(reflection) {
    return reflection.isDocument() ? fileOf(reflection).replace(/\.md$/, '') : super.getIdealBaseName(reflection);
  }
}

class SiteTheme extends DefaultTheme {
  buildNavigation(project) {
    const element = (reflection, text = reflection.name) => ({
      text,
      path: this.router.getFullUrl(reflection),
      kind: reflection.kind,
      icon: this.getReflectionIcon(reflection),
    });
    const documents = new Map(project.documents.map((document) => [fileOf(document), document]));
    const guides = chapters.map(({ text, files }) => ({
      text,
      children: files.map((file) => element(documents.get(file))),
    }));
    // A heading that opens must not be a link too: its page is the first entry below it.
    const modules = project.getChildrenByKind(ReflectionKind.Module).map((module) => ({
      text: module.name,
      children: [element(module, 'Contents'), ...exportsOf(module).map((each) => element(each))],
    }));
    return [...guides, { text: 'API reference', children: modules }];
  }
}

/** Exports of an entry that are not the same as those of another entry. */
const exportsOf = ({ children = [] }) => children.filter((child) => !child.isReference());

/** Returns the entries and exports that guides mean by a name. */
function namedTargets(project) {
  // The generated client has other types of the same names.
  const modules = project.getChildrenByKind(ReflectionKind.Module).filter(({ name }) => !name.endsWith('/openapi'));
  const exported = modules.flatMap(exportsOf);
  const names = exported.map(({ name }) => name);
  // Names without a capital are also words, commands and fields.
  const unique = exported.filter(({ name }) => /[A-Z]/.test(name) && names.indexOf(name) === names.lastIndexOf(name));
  return new Map([...modules, ...unique].map((each) => [each.name, each]));
}

/** Returns the sections of a page in order, the first of which has its title. */
function sectionsOf(document) {
  const markdown = readFileSync(join(root, fileOf(document)), 'utf8');
  const fence = /^(`{3,}|~{3,}).*?^\1/gms;
  const code = markdown.match(fence) ?? [];
  const slugger = new Slugger({ lowercase: true });
  // Lines that begin with `#` in code are comments of a shell.
  const parts = markdown.replace(fence, '\0').split(/^#+ /m).slice(1);
  return parts.map((part) => {
    const title = part.slice(0, part.indexOf('\n')).replaceAll('`', '');
    return { title, anchor: slugger.slug(title), text: part.replaceAll('\0', () => code.shift()) };
  });
}

/** Returns how relevant a page is: guides more than lists, and than properties whose name contains the same word. */
const boostOf = (file) => (/^docs\/development\/|^CHANGELOG|conformance-checks/.test(file) ? 1 : 5);

/** Adds the sections of pages to the search index: TypeDoc would find only whole pages. */
function addSections(event, router) {
  for (const [index, page] of event.searchResults.entries()) {
    if (!page.isDocument() || !page.parent.isProject()) continue;
    const [introduction, ...sections] = sectionsOf(page);
    event.searchFields[index] = { document: introduction.text };
    page.relevanceBoost = boostOf(fileOf(page));
    for (const { title, anchor, text } of sections) {
      const section = new DocumentReflection(title, page, [{ kind: 'text', text }], {});
      section.relevanceBoost = page.relevanceBoost;
      router.fullUrls.set(section, `${router.getFullUrl(page)}#${anchor}`);
      event.searchResults.push(section);
    }
  }
}

/** Links names such as `OrsClient` and `ors-kit/client` to their pages, except in links. */
const linkNames = (html, urlOf) =>
  html.replace(/<a [^>]*>.*?<\/a>|<code>([\w/-]+)(?:\(\))?<\/code>/gs, (whole, name) => {
    const url = name && urlOf(name);
    return url ? `<a href="${url}">${whole}</a>` : whole;
  });

/** Replaces the file names in links to pages by their titles. */
const nameLinks = (html, titleOfPage) =>
  html.replace(/(<a href="([^"#:]+\.html)[^"]*">)[\w./-]+\.md<\/a>/g, (whole, open, path) => {
    const title = titleOfPage(path);
    return title ? `${open}${title}</a>` : whole;
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

/** Permalink of a heading that opens and closes a section: links must not be in buttons. */
const PERMALINK_IN_SUMMARY = /(<summary(?:(?!<\/summary>).)*?)<a href="[^"]*"[^>]*class="tsd-anchor-icon">.*?<\/a>/gs;

/** Adds landmarks and names for assistive technology, and lets the keyboard scroll code and tables. */
const makeAccessible = (html) =>
  html
    .replace('<div class="col-content">', '<main class="col-content">')
    .replace('</div><div class="col-sidebar">', '</main><aside class="col-sidebar" aria-label="Navigation">')
    .replace('</div></div><footer>', '</aside></div><footer>')
    .replace('<nav class="tsd-navigation">', '<nav class="tsd-navigation" aria-label="Pages">')
    .replace('id="tsd-search-input"', 'id="tsd-search-input" aria-label="Search"')
    .replace(PERMALINK_IN_SUMMARY, '$1')
    .replace(/<th([^>]*)><\/th>/g, '<td$1></td>')
    .replaceAll('<pre><code', '<pre tabindex="0"><code')
    .replaceAll('<table>', '<div class="table" role="group" aria-label="Table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');

/** Sources that a browser would download instead of showing them. */
const SOURCES = /\.(?:ts|mjs|py|ya?ml|cfg|conf)$|^[^.]+$/;

/** Links files instead of folders, sources as text, and icons in the page: what browsers show without a server. */
const linkFiles = (html) =>
  html
    .replace(/href="[^"]*assets\/icons\.svg#/g, 'href="#')
    .replace(/href="((?:\.\.?\/)+)(#[^"]*)?"/g, 'href="$1index.html$2"')
    .replace(/href="([^"]*\bmedia\/)([^"/]+)"/g, (link, folder, file) =>
      SOURCES.test(file) ? `href="${folder}${file}.txt"` : link,
    );

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
  let titles = new Map();
  renderer.on(RendererEvent.BEGIN, ({ project }) => {
    targets = namedTargets(project);
    titles = new Map(project.documents.map((document) => [renderer.router.getFullUrl(document), document.name]));
  });
  renderer.on(IndexEvent.PREPARE_INDEX, (event) => addSections(event, renderer.router));
  renderer.on(PageEvent.END, (page) => {
    if (page.model.isProject() || page.model.isDocument()) {
      const up = '../'.repeat(page.url.split('/').length - 1);
      const urlOf = (name) => targets.has(name) && up + renderer.router.getFullUrl(targets.get(name));
      const titleOfPage = (path) => titles.get(join(dirname(page.url), path));
      // The title of a guide is its first line.
      const guide = page.contents.replace(/<ul class="tsd-breadcrumb".*?<\/ul>/s, '');
      page.contents = nameLinks(linkNames(guide, urlOf), titleOfPage);
    }
    page.contents = linkFiles(makeAccessible(closeHeadingGaps(page.contents)));
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

/** Keeps the code of headings in their anchors, as GitHub does. */
export const keepCodeInAnchors = (parser) =>
  parser.core.ruler.push('code_in_anchors', ({ tokens }) => {
    const titles = tokens.filter((_, index) => tokens[index - 1]?.type === 'heading_open');
    for (const code of titles.flatMap(({ children }) => children).filter(({ type }) => type === 'code_inline'))
      code.children = [{ type: 'text', content: code.content }];
  });
