import { existsSync } from 'node:fs';
import { afterAll } from '@jest/globals';
import { describeUnless, type Suites } from '../support/optional.ts';
import { CHROMIUM, closeBrowser } from './chromium.ts';

/** Describes tests that need a browser, and ends it after them; skips them with the reason if none is installed. */
export const describeInBrowser = (what: string): Suites => {
  afterAll(closeBrowser);
  return describeUnless(
    existsSync(CHROMIUM)
      ? undefined
      : `${what} in a browser: no ${CHROMIUM}; install chromium-headless-shell or chromium, or set CHROMIUM`,
  );
};
