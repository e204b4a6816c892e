import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { ConformanceResults } from '../../../generated/conformance-results.ts';
import { escapeMarkup, unicodeEscape } from '../../core/index.ts';

const STYLES = ['page.css', 'checks.css'];
/** In the order in which they need each other. */
const SCRIPTS = ['results.js', 'elements.js', 'exchange.js', 'filter.js', 'check.js', 'report.js'];

/** The report as one page that needs nothing else: its style, its script and the results are in it. */
export async function reportHtml(results: ConformanceResults): Promise<string> {
  const style = (await Promise.all(STYLES.map(pageFile))).join('\n');
  const script = joined(await Promise.all(SCRIPTS.map(pageFile)));
  const { summary } = results;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy(style, script)}">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escapeMarkup(`ORS conformance of ${nameOf(results)}`)}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<header>
<p class="kicker">Conformance to the Open Reward Standard</p>
<h1>${unbroken(summary.headline)}</h1>
<p class="subject">${escapeMarkup(subjectOf(results))}</p>
<noscript><p>The checks are shown by a script of this page. The same is in results.json.</p></noscript>
<div id="verdict"></div>
</header>
<form id="filter" role="search" aria-label="Filter the checks">
<div id="states" role="group" aria-label="State"></div>
<div class="fields">
<label>Level <select name="level"><option value="">all</option></select></label>
<label>Group <select name="group"><option value="">all</option></select></label>
<label class="wide">Text <input name="text" type="search" autocomplete="off" spellcheck="false"></label>
<output id="shown" aria-live="polite"></output>
</div>
</form>
<main id="checks"></main>
<footer id="facts"></footer>
<script type="application/json" id="results">${scriptJson(results)}</script>
<script type="module">${script}</script>
</body>
</html>
`;
}

const nameOf = ({ subject, client, url }: ConformanceResults): string =>
  subject === 'server' ? url : (client ?? 'a client');

function subjectOf(results: ConformanceResults): string {
  const { subject, environment, profiles, started_at: startedAt } = results;
  const about = subject === 'server' ? [`environment ${environment}`, profiles.join(', ')] : [];
  return [nameOf(results), ...about, startedAt.slice(0, 10)].join(' · ');
}

/** A number stays with what it counts. */
const unbroken = (headline: string): string =>
  headline.replace(/[^;]+;?/g, (part) => `<span>${escapeMarkup(part.trim())}</span> `);

const pageFile = (name: string): Promise<string> => readFile(new URL(name, pageFolder()), 'utf8');

/** The built modules are bundled, and do not stand where their sources do. */
const pageFolder = (): URL =>
  import.meta.url.endsWith('.js')
    ? new URL('dist/src/conformance/report/page/', import.meta.resolve('ors-kit/package.json'))
    : new URL('./page/', import.meta.url);

/** Modules as one: a page that is a single file has nowhere to import from. */
const joined = (modules: readonly string[]): string =>
  modules.map((text) => text.replace(/^import [^;]*;\n/gm, '').replace(/^export /gm, '')).join('\n');

/** The page may use its own style and script, and ask nobody for anything. */
const policy = (style: string, script: string): string =>
  [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** JSON that neither ends the element around it, nor any line of a script. */
const scriptJson = (value: unknown): string => JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, unicodeEscape);
