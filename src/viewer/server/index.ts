import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { escapeMarkup } from '../../core/index.ts';
import { PACKAGE_FOLDER } from '../../core/node/index.ts';

const BUILT = join(PACKAGE_FOLDER, 'dist');
/** Folder of the built page. */
const FOLDER = join(BUILT, 'viewer');
/** Element of the built page that receives the features. */
const OFFERS = '<meta name="ors-offers" content="">';

/** Features of a server that the page can show. */
export interface ServerFeatures {
  /** The operations of the standard, next to `/ui/`. */
  readonly environments: boolean;
  /** A trace API at `/v1`, next to `/ui/`. */
  readonly traces: boolean;
  /** Set if the trace API requires an API key. @default false */
  readonly keys?: boolean;
}

/** Returns the pages and folders of the viewer at `/ui/`, for the server that it shows. */
export function createViewer(offers: ServerFeatures) {
  const page = () => pageOf(offers);
  return { pages: { '/ui': page, '/ui/': page, '/ui/index.html': page }, folders: { '/ui': FOLDER } };
}

/** Returns whether a path is part of the viewer, which contains no data and needs no key. */
export const isViewer = (path: string): boolean => /^\/ui(\/?|\/index\.html|\/assets\/[^/]+)$/.test(path);

function pageOf({ environments, traces, keys = false }: ServerFeatures): string {
  const file = join(FOLDER, 'index.html');
  if (!existsSync(file)) return 'The viewer is not built. Run: npm run build';
  const features = { environments, traces, keys };
  const offers = Object.entries(features).flatMap(([name, isOffered]) => (isOffered ? [name] : []));
  return readFileSync(file, 'utf8').replace(OFFERS, OFFERS.replace('""', `"${offers.join(' ')}"`));
}

/**
 * Renders the page at `/` of a server. Its style and script are inline, because on a server with keys a browser cannot load
 * files before it has one.
 *
 * @param main HTML of the content.
 */
export function renderHomePage(title: string, main: string) {
  const [style, script] = ['landing.css', 'page.js'].map(readPageFile);
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeMarkup(title)}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<main>
${main}
</main>
<script>${script}</script>
</body>
</html>
`;
  return { html, inline: [style ?? '', script ?? ''] };
}

/** Renders the page at `/` for browsers without a key, which asks for one and then loads the page itself. */
export const renderKeyPage = (title: string) =>
  renderHomePage(
    title,
    `<h1>${escapeMarkup(title)}</h1>
<p>This server needs an API key. Enter yours, or ask the operator of the server for one. This tab keeps it until it is closed.</p>
<form id="key">
<label>API key <input name="key" type="password" autocomplete="off" required></label>
<button>Continue</button>
<p role="alert"></p>
</form>`,
  );

function readPageFile(name: string): string {
  const file = join(BUILT, 'pages', name);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** Link of a page at `/`, with what it leads to. */
export interface HomeLink {
  readonly label: string;
  /** Undefined if browsers cannot open it. */
  readonly href: string | undefined;
  /** HTML of the description. */
  readonly about: string;
}

/** Renders the list of links of a page at `/`. */
export function renderHomeLinks(links: readonly HomeLink[]): string {
  const items = links.map(({ label, href, about }) => {
    const name = href === undefined ? label : `<a href="${escapeMarkup(href)}">${label}</a>`;
    return `<li>${name} <small>${about}</small></li>`;
  });
  return `<nav aria-label="Pages"><ul>\n${items.join('\n')}\n</ul></nav>`;
}

/** Returns the address of a page of the viewer, relative to `/`. */
export const viewerHref = (query: Readonly<Record<string, string>>): string => `ui/?${new URLSearchParams(query)}`;
