import { escapeMarkup, plural } from '../core/index.ts';
import { PACKAGE } from '../core/node/index.ts';
import type { HostedEnvironment } from '../hosting/index.ts';
import { type HomeLink, renderHomeLinks, renderHomePage, viewerHref } from '../viewer/server/index.ts';
import { withLookupTimeout } from './limits/with-limits.ts';

export const LANDING_TITLE = 'Open Reward Standard server';

/** Longest time that the page waits for the size of a split, which code of the author may compute. */
const COUNT_TIMEOUT_MS = 1_000;

interface LandingPageOptions {
  readonly viewer: boolean;
  /** The viewer shows recorded episodes. */
  readonly traces: boolean;
  readonly metrics: boolean;
  /** Returns whether a browser can open a path without a key. */
  readonly isOpen: (path: string) => boolean;
}

/** Renders the page at `/`: the environments, and links to everything that the server has for people. */
export async function renderLandingPage(environments: readonly HostedEnvironment[], options: LandingPageOptions) {
  const sections = await Promise.all(
    environments.map(async (environment) => describe(environment, await countTasks(environment), options)),
  );
  const served = `${plural(environments.length, 'environment')}, served by ${PACKAGE.name} ${PACKAGE.version}`;
  const main = `<h1>${LANDING_TITLE}</h1>\n<p>${served}</p>\n${renderHomeLinks(links(options))}\n${sections.join('\n')}`;
  return renderHomePage(LANDING_TITLE, main);
}

function links({ viewer, traces, metrics, isOpen }: LandingPageOptions): HomeLink[] {
  const toOpen = (...paths: readonly string[]) =>
    `needs the key in a header; <code>--open-path ${paths.join(' ')}</code> opens it for browsers`;
  const page = (label: string, href: string, about: string, paths: readonly string[]): HomeLink =>
    paths.every(isOpen) ? { label, href, about } : { label, href: undefined, about: toOpen(...paths) };
  const runs: HomeLink = traces
    ? { label: 'Runs', href: viewerHref({ view: 'runs' }), about: 'recorded episodes and their rewards' }
    : { label: 'Runs', href: undefined, about: 'not here: <code>ors serve --traces traces.db</code> records episodes' };
  return [
    ...(viewer
      ? [
          { label: 'Play', href: viewerHref({ view: 'environments' }), about: 'tasks, tools, and episodes by hand' },
          runs,
        ]
      : []),
    page('Operations', 'docs/', 'every request of the protocol, to read and to try', ['/docs', '/openapi.json']),
    page('OpenAPI document', 'openapi.json', 'the same for programs', ['/openapi.json']),
    ...(metrics ? [page('Metrics', 'metrics', 'counters and durations for Prometheus', ['/metrics'])] : []),
  ];
}

/** Returns the number of tasks of each split that can be counted in time. */
async function countTasks(environment: HostedEnvironment): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const count = async ({ name }: { readonly name: string }) => {
    counts.set(name, await withLookupTimeout(COUNT_TIMEOUT_MS, (wait) => environment.countTasks(name, wait)));
  };
  // A split whose size is unknown is shown without it; clients that request it get the error.
  await Promise.allSettled(environment.splits.map(count));
  return counts;
}

function describe(
  { name, description, splits, tools, terminalTool }: HostedEnvironment,
  counts: ReadonlyMap<string, number>,
  { viewer }: LandingPageOptions,
): string {
  const playable = viewer ? splits.find((split) => counts.get(split.name) !== 0) : undefined;
  const play = playable && viewerHref({ view: 'play', environment: name, split: playable.name, index: '0' });
  const splitItems = splits.map((split) => {
    const href = viewerHref({ view: 'environment', environment: name, split: split.name });
    const label = viewer ? link(href, split.name) : escapeMarkup(split.name);
    const count = counts.get(split.name);
    return `<li>${label}${count === undefined ? '' : ` <small>${plural(count, 'task')}</small>`}</li>`;
  });
  const toolItems = tools.map((tool) => `<li><code>${escapeMarkup(tool.name)}</code> ${small(tool.description)}</li>`);
  const graded = terminalTool ? [`<li>Final message ${small(terminalTool.description ?? '')}</li>`] : [];
  const shownTools = [...toolItems, ...graded];
  const rows = [
    row('Splits', `<ul>${splitItems.join('')}</ul>`),
    row('Tools', shownTools.length > 0 ? `<ul>${shownTools.join('')}</ul>` : 'depend on the task'),
    ...(play === undefined ? [] : [row('Play', link(play, `${name} ${playable?.name}, task 0`))]),
  ];
  const about = description === undefined ? '' : `<p>${escapeMarkup(description)}</p>`;
  return `<section><h2>${escapeMarkup(name)}</h2>${about}<dl>${rows.join('')}</dl></section>`;
}

const row = (title: string, html: string): string => `<dt>${title}</dt><dd>${html}</dd>`;
const link = (href: string, text: string): string => `<a href="${escapeMarkup(href)}">${escapeMarkup(text)}</a>`;
const small = (text: string): string => `<small>${escapeMarkup(text)}</small>`;
