import { existsSync } from 'node:fs';
import { describeUnless, type Suites } from '../support/optional.ts';
import { CHROMIUM } from './chromium.ts';

/** The tests in a browser, of which `what` says the subject; skipped, with the reason, where there is none. */
export const describeInBrowser = (what: string): Suites =>
  describeUnless(
    existsSync(CHROMIUM) ? undefined : `${what} in a browser: no ${CHROMIUM}; install chromium or set CHROMIUM`,
  );
