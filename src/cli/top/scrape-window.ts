import type { Scrape } from './scrape.ts';
import { sumMetric } from './scrape.ts';

const WINDOW_MS = 10_000;

/** Remembers scrapes, and gives the one that a new one is compared with: the oldest of the last ten seconds. */
export function createScrapeWindow(): (scrape: Scrape) => Scrape | undefined {
  let kept: Scrape[] = [];
  return (scrape) => {
    const isSame = kept.every((each) => startOf(each) === startOf(scrape));
    // What a server counted before it was started anew is over.
    if (!isSame) kept = [];
    kept = kept.filter(({ at }) => scrape.at - at <= WINDOW_MS);
    const [oldest] = kept;
    kept.push(scrape);
    return oldest;
  };
}

const startOf = (scrape: Scrape): number => sumMetric(scrape, 'process_start_time_seconds');
