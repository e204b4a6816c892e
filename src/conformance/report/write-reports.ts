import { access, constants, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckResult, ConformanceResults } from '../../../generated/conformance-results.ts';
import { drawBadge, escapeMarkup, sum, unicodeEscape } from '../../core/index.ts';
import { makeFolder, sourceHash } from '../../core/node/index.ts';
import { groupResults } from './results.ts';

/**
 * Writes results.json, junit.xml, report.html and badge.svg to a folder, and returns their paths. Creates the folder.
 *
 * @throws Error of the file system if a file cannot be written
 * @example
 * await writeReports('conformance-report', parseResults(await readFile('results.json', 'utf8')));
 */
export async function writeReports(
  folder: string,
  results: ConformanceResults,
  parts: BadgeParts = {},
): Promise<string[]> {
  const files: Readonly<Record<string, string>> = {
    'results.json': `${JSON.stringify(results, null, 1)}\n`,
    'junit.xml': junitXml(results),
    'report.html': await reportHtml(results),
    'badge.svg': badgeSvg(results, parts),
  };
  await makeWritableFolder(folder);
  const paths = Object.entries(files).map(([name, text]) => [join(folder, name), text] as const);
  await Promise.all(paths.map(([path, text]) => writeFile(path, text)));
  return paths.map(([path]) => path);
}

/**
 * Creates a folder with its parents.
 *
 * @throws Error of the file system if it is not writable
 * @example
 * await makeWritableFolder('conformance-report');
 */
export async function makeWritableFolder(folder: string): Promise<void> {
  await makeFolder(folder);
  if (!(await stat(folder)).isDirectory()) throw new Error('not a folder');
  await access(folder, constants.W_OK);
}

const STYLES = ['page.css', 'checks.css'];
/** In the order of their dependencies. */
const SCRIPTS = ['results.js', 'elements.js', 'checks.js', 'report.js'];

/** Returns the report as one self-contained page with style, script and results. */
export async function reportHtml(results: ConformanceResults): Promise<string> {
  const style = (await Promise.all(STYLES.map(pageFile))).join('\n');
  const script = joinModules(await Promise.all(SCRIPTS.map(pageFile)));
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
<h1>${headlineSpans(summary.headline)}</h1>
<p class="subject">${escapeMarkup(subjectOf(results))}</p>
<noscript><p>This page needs JavaScript to show the checks. results.json has the same data.</p></noscript>
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

/** Wraps the parts of a headline, so that line breaks do not separate numbers from their units. */
const headlineSpans = (headline: string): string =>
  headline.replace(/[^;]+;?/g, (part) => `<span>${escapeMarkup(part.trim())}</span> `);

const pageFile = (name: string): Promise<string> => readFile(new URL(name, pageFolder()), 'utf8');

/** Built modules are bundled, so their paths differ from those of the sources. */
const pageFolder = (): URL =>
  import.meta.url.endsWith('.js')
    ? new URL('dist/src/conformance/report/page/', import.meta.resolve('ors-kit/package.json'))
    : new URL('./page/', import.meta.url);

/** Joins modules to one, because a self-contained page cannot import files. */
const joinModules = (modules: readonly string[]): string =>
  modules.map((text) => text.replace(/^import [^;]*;\n/gm, '').replace(/^export /gm, '')).join('\n');

/** Content-Security-Policy that allows only the style and script of the page, and no requests. */
const policy = (style: string, script: string): string =>
  [
    "default-src 'none'",
    `script-src ${sourceHash(script)}`,
    `style-src ${sourceHash(style)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

/** Serializes JSON for a script element. */
const scriptJson = (value: unknown): string => JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, unicodeEscape);

/** Formats results as JUnit XML, with one suite per group of checks. */
export function junitXml(results: ConformanceResults): string {
  const suites = groupResults(results.results).map(({ group, results: ofGroup }) => {
    const cases = ofGroup.map(testCase).join('');
    return `  <testsuite name="${escapeMarkup(group)}" ${counts(ofGroup)} timestamp="${results.started_at}">\n${cases}  </testsuite>\n`;
  });
  const name = escapeMarkup(`ORS conformance of ${results.client ?? results.url}`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${name}" ${counts(results.results)}>\n${suites.join('')}</testsuites>\n`;
}

function counts(results: readonly CheckResult[]): string {
  const count = (...elements: XmlElement[]) => results.filter((result) => elements.includes(elementOf(result))).length;
  const seconds = sum(results.map(({ duration_ms }) => duration_ms)) / 1_000;
  return [
    `tests="${results.length}"`,
    `failures="${count('failure')}"`,
    `errors="${count('error')}"`,
    `skipped="${count('skipped')}"`,
    `time="${seconds.toFixed(3)}"`,
  ].join(' ');
}

type XmlElement = 'failure' | 'error' | 'skipped' | 'none';

function elementOf({ state, expected_failure }: CheckResult): XmlElement {
  if (state === 'fail') return expected_failure === null ? 'failure' : 'skipped';
  if (state === 'harness-error') return 'error';
  return state === 'n/a' || state === 'not-testable' ? 'skipped' : 'none';
}

function testCase(result: CheckResult): string {
  const { check, requirement, level, sentence, document, heading, state, message, notes, expected_failure } = result;
  const element = elementOf(result);
  const why = expected_failure === null ? (message ?? '') : `expected failure: ${expected_failure}`;
  const about = `${requirement} (${level}): ${sentence}\n${document}, ${heading}\n${message ?? ''}`;
  const body = {
    none: '',
    skipped: `      <skipped message="${escapeMarkup(`${state}: ${why}`)}"/>\n`,
    failure: `      <failure type="${level}" message="${escapeMarkup(why)}">${escapeMarkup(about)}</failure>\n`,
    error: `      <error type="harness-error" message="${escapeMarkup(why.split('\n')[0] ?? '')}">${escapeMarkup(about)}</error>\n`,
  }[element];
  const said = [...(state === 'warn' ? [`warning: ${message}`, about] : []), ...notes.map((note) => `seen: ${note}`)];
  const output = said.length === 0 ? '' : `      <system-out>${escapeMarkup(said.join('\n'))}</system-out>\n`;
  const [group = ''] = check.split('/');
  const head = `name="${escapeMarkup(check)}" classname="ors.${escapeMarkup(group)}" time="${(result.duration_ms / 1_000).toFixed(3)}"`;
  return `    <testcase ${head}>\n${body}${output}    </testcase>\n`;
}

export interface BadgeParts {
  /** Only some of the checks of the profiles were selected. @default false */
  readonly isPart?: boolean;
}

/** Returns a badge for a README: `ORS core 61/61`; grey and `partial` if required checks did not run. */
export function badgeSvg(
  { subject, profiles, summary, verdict }: ConformanceResults,
  { isPart = false }: BadgeParts = {},
): string {
  const { passed, ran, not_testable: untested } = summary.required;
  const isPartial = isPart || untested > 0;
  const label = `ORS ${subject === 'client' ? 'client' : profiles.join('+')}`;
  const value = ran === 0 ? 'not tested' : `${passed}/${ran}${isPartial ? ' partial' : ''}`;
  const isUnknown = isPartial || ran === 0 || ['interrupted', 'harness-error', 'incomplete'].includes(verdict.outcome);
  const colour = passed < ran || verdict.outcome === 'violations' ? 'bad' : isUnknown ? 'unknown' : 'good';
  return drawBadge({ label, value, colour, title: `${label}: ${value} required checks pass` });
}
