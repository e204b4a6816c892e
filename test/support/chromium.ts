import { existsSync } from 'node:fs';

/** The same browser without windows takes half of the CPU time. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';
export const CHROMIUM = process.env.CHROMIUM ?? (existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : '/usr/bin/chromium');

/** Reason why no browser can be started here. */
export const chromiumMissing = existsSync(CHROMIUM)
  ? undefined
  : `no ${CHROMIUM}; install chromium-headless-shell or chromium, or set CHROMIUM`;
