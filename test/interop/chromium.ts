import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, chromium, type Page as Tab } from 'playwright-core';
import { CHROMIUM } from '../support/chromium.ts';

const PATIENCE_MS = 20_000;
/** Long traces open slowly on a busy machine. */
const LOADING_MS = 60_000;

export interface View {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: 'light' | 'dark';
}

/** A page in a separate browser context, which shares no storage, cache or settings with others. */
export interface Page extends AsyncDisposable {
  /** The page, as Playwright drives it. */
  readonly tab: Tab;
  /** Messages on the console: from scripts, uncaught errors, and requests that the browser blocked. */
  readonly console: readonly string[];
  /** The origins that the page asked for something. */
  readonly hosts: ReadonlySet<string>;
  /** The value of an expression, awaited if it is a promise; it must be JSON. Rejects with the page's exception. */
  evaluate<Value>(expression: string): Promise<Value>;
  /** Waits until an expression is true. Rejects after 20 s. */
  until(expression: string): Promise<void>;
}

/** Browser of this process: starting one takes longer than most tests. */
let running: Promise<Browser> | undefined;

/** Ends the browser, if there is one. */
export async function closeBrowser(): Promise<void> {
  const browser = running;
  running = undefined;
  await (await browser?.catch(() => undefined))?.close();
}

async function launch(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: CHROMIUM });
  // Also if it crashes: then the next page starts another one.
  browser.once('disconnected', () => {
    running = undefined;
  });
  return browser;
}

/** Opens a URL in headless Chromium, which runs until `closeBrowser`. */
export async function openPage(url: string, view: View = {}): Promise<Page> {
  const { width = 1440, height = 900, theme = 'light' } = view;
  running ??= launch();
  const browser = await running;
  const size = { viewport: { width, height }, isMobile: width < 500 };
  const context = await browser.newContext({ ...size, colorScheme: theme, acceptDownloads: true });
  try {
    const tab = await context.newPage();
    tab.setDefaultTimeout(PATIENCE_MS);
    tab.setDefaultNavigationTimeout(LOADING_MS);
    const heard = listenTo(tab);
    await tab.goto(url);
    return { tab, ...heard, ...expressions(tab), [Symbol.asyncDispose]: () => context.close() };
  } catch (error) {
    await context.close();
    throw error;
  }
}

function listenTo(tab: Tab): Pick<Page, 'console' | 'hosts'> {
  const said: string[] = [];
  const hosts = new Set<string>();
  tab.on('console', (message) => said.push(message.text()));
  tab.on('pageerror', (error) => said.push(error.stack ?? String(error)));
  tab.on('request', (request) => {
    // Images in data: URLs cause no request.
    if (request.url().startsWith('http')) hosts.add(new URL(request.url()).origin);
  });
  return { console: said, hosts };
}

function expressions(tab: Tab): Pick<Page, 'evaluate' | 'until'> {
  return {
    evaluate: (expression) => tab.evaluate(expression),
    async until(expression) {
      const end = performance.now() + PATIENCE_MS;
      let isTrue: boolean | undefined;
      while (isTrue === undefined) {
        // A navigation ends the script.
        isTrue = await tab.evaluate<boolean>(pollFor(expression, end - performance.now())).catch(async (error) => {
          if (!/context was destroyed|navigat/.test(String(error))) throw error;
          await sleep(20);
          return undefined;
        });
      }
      if (!isTrue) throw new Error(`${tab.url()} did not come to: ${expression}`);
    },
  };
}

/** Script that waits in the page, which takes less time than asking the page every 20 ms. */
const pollFor = (expression: string, ms: number): string => `new Promise((resolve, reject) => {
  const end = performance.now() + ${ms};
  const look = () => {
    try {
      if (${expression}) resolve(true);
      else if (performance.now() > end) resolve(false);
      else setTimeout(look, 20);
    } catch (error) {
      reject(error);
    }
  };
  look();
})`;

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/**
 * Runs axe on a page.
 *
 * @param rules the rules to test: themes differ in `color-contrast` alone. @default all
 * @param within selector of the part to test. @default the whole page
 */
export async function violationsIn(page: Page, rules?: readonly string[], within = 'html'): Promise<readonly string[]> {
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) });
  // Half a megabyte of code.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(`${axe}; 0`);
  // Colors change gradually between themes. Animations that do not end, such as those of spinners, do not matter.
  await page.until('document.getAnimations().every((each) => !(each instanceof CSSTransition))');
  const violations = await page.evaluate<readonly Violation[]>(
    `axe.run(${JSON.stringify(within)}, ${options}).then(({ violations }) => violations)`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  );
}
