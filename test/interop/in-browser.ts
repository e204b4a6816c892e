import { existsSync } from 'node:fs';
import { describeUnless, type Suites } from '../support/optional.ts';
import { CHROMIUM } from './chromium.ts';

/** Describes tests that need a browser; skips them with the reason if none is installed. */
export const describeInBrowser = (what: string): Suites =>
  describeUnless(
    existsSync(CHROMIUM) ? undefined : `${what} in a browser: no ${CHROMIUM}; install chromium or set CHROMIUM`,
  );
