import { afterAll } from '@jest/globals';
import { chromiumMissing } from '../support/chromium.ts';
import { describeUnless, type Suites } from '../support/optional.ts';
import { closeBrowser } from './chromium.ts';

/** Describes tests that need a browser, and ends it after them; skips them with the reason if none is installed. */
export const describeInBrowser = (what: string): Suites => {
  afterAll(closeBrowser);
  return describeUnless(chromiumMissing && `${what} in a browser: ${chromiumMissing}`);
};
