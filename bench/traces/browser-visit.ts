import { setTimeout as delay } from 'node:timers/promises';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { withTimeout } from '../../src/core/index.ts';
import { CHROMIUM } from '../../test/support/chromium.ts';

/** The page of a trace. */
export interface TracePage {
  readonly url: string;
  /** Selector of the element with the text of the first block. */
  readonly text: string;
  /** Expression for the number of blocks that the page lists. */
  readonly listed: string;
}

/** The figures of one visit. Times are in milliseconds since the navigation began. */
export interface Visit {
  /** Time until the text of the first block is visible. */
  readonly text: number;
  /** Time until the page is complete, see `untilComplete`. */
  readonly complete: number;
  /** Number of blocks that the complete page lists. */
  readonly listed: number;
  /** CPU time of all processes of the browser in seconds. */
  readonly cpu: number;
  /** JavaScript heap after a garbage collection, in bytes. */
  readonly heap: number;
  /** Received bytes of all responses, as transferred, without headers. */
  readonly bytes: number;
}

const VISIT_TIMEOUT_MS = 180_000;
const POLL_MS = 50;
/** Time without activity after which a page is complete. */
const QUIET_MS = 1_000;
/** Share of the time between two polls in which the main thread of an idle page runs at most. */
const IDLE_SHARE = 0.5;

/** Visits a page with a new browser, which has an empty cache, and measures until it is complete. */
export async function visit({ url, text, listed }: TracePage, expected: string): Promise<Visit> {
  const browser = await chromium.launch({ executablePath: CHROMIUM });
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const tab = await context.newPage();
    const session = await context.newCDPSession(tab);
    const network = await watchNetwork(session);
    await session.send('Performance.enable');
    await tab.addInitScript(observer(text, expected));
    const cpuBefore = await cpuSeconds(browser);
    await tab.goto(url, { waitUntil: 'commit', timeout: VISIT_TIMEOUT_MS });
    let step = 'it did not respond';
    const complete = untilComplete(tab, session, network, (reached) => {
      step = reached;
    });
    const observed = await withTimeout(
      VISIT_TIMEOUT_MS,
      complete,
      () => new Error(`${url} is not complete after ${VISIT_TIMEOUT_MS / 1e3} s: ${step}`),
    );
    const cpu = (await cpuSeconds(browser)) - cpuBefore;
    const bytes = network.bytes();
    await session.send('HeapProfiler.collectGarbage');
    const heap = (await metricsOf(session)).JSHeapUsedSize ?? Number.NaN;
    return { ...observed, cpu, bytes, heap, listed: await tab.evaluate<number>(listed) };
  } finally {
    await browser.close();
  }
}

/**
 * Waits until a page shows the text of the first block, waits for no response, and has had no activity for a second: no
 * change of the document, no received data, no task of 50 ms, and a main thread that is idle most of the time.
 *
 * @param onStep called with the state of the page.
 * @returns the times, the last of which is that of the last activity.
 */
async function untilComplete(
  tab: Page,
  session: CDPSession,
  network: Network,
  onStep: (state: string) => void,
): Promise<Pick<Visit, 'text' | 'complete'>> {
  let busyUntil = 0;
  for (let before = await metricsOf(session); ; await delay(POLL_MS)) {
    const { text, changed, now } = await tab.evaluate<Observed>('({ ...observed, now: performance.now() })');
    const after = await metricsOf(session);
    const share = (after.TaskDuration - before.TaskDuration) / (after.Timestamp - before.Timestamp);
    if (share > IDLE_SHARE) busyUntil = now;
    before = after;
    const received = 1_000 * (network.lastTimestamp() - after.NavigationStart);
    const complete = Math.max(text ?? 0, changed, busyUntil, received);
    if (text !== null && network.pending() === 0 && now - complete > QUIET_MS) return { text, complete };
    onStep(
      text === null ? 'the first block is not visible' : `it still changes; ${network.pending()} pending requests`,
    );
  }
}

/** State of the script in the page. */
interface Observed {
  readonly text: number | null;
  readonly changed: number;
  readonly now: number;
}

/** Script that records changes and long tasks, and when the text is visible: at the end of the frame that has it. */
const observer = (selector: string, expected: string): string => `
globalThis.observed = { text: null, changed: 0 };
new MutationObserver(() => {
  observed.changed = performance.now();
}).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries()) {
    observed.changed = Math.max(observed.changed, startTime + duration);
  }
}).observe({ type: 'longtask', buffered: true });
const isVisible = () => {
  const element = document.querySelector(${JSON.stringify(selector)});
  if (!element?.textContent.includes(${JSON.stringify(expected)})) return false;
  const { top, bottom } = element.getBoundingClientRect();
  return top < innerHeight && bottom > 0 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
};
const look = () => {
  if (!isVisible()) requestAnimationFrame(look);
  else requestAnimationFrame(() => {
    observed.text = performance.now();
  });
};
requestAnimationFrame(look);`;

interface Network {
  /** Number of requests without a response, except for scripts. A response that streams is not pending. */
  pending(): number;
  /** Time of the last received data in seconds, on the clock of the metrics. */
  lastTimestamp(): number;
  bytes(): number;
}

async function watchNetwork(session: CDPSession): Promise<Network> {
  const pending = new Set<string>();
  let last = 0;
  let bytes = 0;
  // Scripts of workers have their response elsewhere.
  session.on('Network.requestWillBeSent', ({ requestId, type }) => type !== 'Script' && pending.add(requestId));
  session.on('Network.responseReceived', ({ requestId }) => pending.delete(requestId));
  session.on('Network.loadingFailed', ({ requestId }) => pending.delete(requestId));
  session.on('Network.dataReceived', ({ timestamp, encodedDataLength }) => {
    last = timestamp;
    bytes += encodedDataLength;
  });
  await session.send('Network.enable');
  return { pending: () => pending.size, lastTimestamp: () => last, bytes: () => bytes };
}

type Metrics = Record<'TaskDuration' | 'Timestamp' | 'NavigationStart' | 'JSHeapUsedSize', number>;

/** Reads the metrics of a page, with times in seconds. */
async function metricsOf(session: CDPSession): Promise<Metrics> {
  const { metrics } = await session.send('Performance.getMetrics');
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value])) as Metrics;
}

async function cpuSeconds(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}
