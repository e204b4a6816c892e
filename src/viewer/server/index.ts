import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The built page, which the build puts there. */
const FOLDER = join(dirname(createRequire(import.meta.url).resolve('ors-kit/package.json')), 'dist', 'viewer');
/** Where the built page is told what there is to see. */
const OFFERS = '<meta name="ors-offers" content="">';

/** What a server has that people can look at. */
export interface ServerFeatures {
  /** The environments of the standard's operations, which stand beside /ui/. */
  readonly environments: boolean;
  /** A trace API at /v1 beside /ui/. */
  readonly traces: boolean;
}

/** The viewer, as pages and folders of a server: a web page at /ui/ that asks that server alone. */
export function createViewer(offers: ServerFeatures) {
  const page = () => pageOf(offers);
  return { pages: { '/ui': page, '/ui/': page, '/ui/index.html': page }, folders: { '/ui': FOLDER } };
}

/** Paths that hold nothing of anybody's; the page asks for a key where one is needed. */
export const isViewer = (path: string): boolean => /^\/ui(\/?|\/index\.html|\/assets\/[^/]+)$/.test(path);

function pageOf({ environments, traces }: ServerFeatures): string {
  const file = join(FOLDER, 'index.html');
  if (!existsSync(file)) return 'The viewer is not built: npm run build';
  const offers = [...(environments ? ['environments'] : []), ...(traces ? ['traces'] : [])].join(' ');
  return readFileSync(file, 'utf8').replace(OFFERS, OFFERS.replace('""', `"${offers}"`));
}
