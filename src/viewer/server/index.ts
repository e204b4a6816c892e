import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Folder of the built page. */
const FOLDER = join(dirname(createRequire(import.meta.url).resolve('ors-kit/package.json')), 'dist', 'viewer');
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
