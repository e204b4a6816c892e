import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPage, type Page } from '../chromium.ts';

const DOWNLOAD_MS = 10_000;

export interface View {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: 'light' | 'dark';
}

/** Somebody who reads the viewer: sees a page of it, clicks and types. */
export interface Reader extends Page {
  /** Goes to a page of the viewer, such as `?view=runs`. */
  go(query: string): Promise<void>;
  /** Presses keys one after the other, as `KeyboardEvent.key` names them. */
  press(...keys: string[]): Promise<void>;
  /** Clicks into the middle of the first element that a selector names, or of the first that holds `text`. */
  click(selector: string, text?: string): Promise<void>;
  /** Writes into the field that has the focus. */
  type(text: string): Promise<void>;
  /** The text of the first element that a selector names, as it is shown; empty where there is none. */
  text(selector: string): Promise<string>;
  texts(selector: string): Promise<readonly string[]>;
  /** Has the system ask for a theme. */
  prefer(theme: 'light' | 'dark'): Promise<void>;
  resize(width: number, height: number): Promise<void>;
  setOffline(isOffline: boolean): Promise<void>;
  /** Draws from one place to another with the button held down. */
  drag(from: Point, to: Point): Promise<void>;
  /** Turns the wheel at a place; down is positive. */
  wheel(at: Point, by: number): Promise<void>;
  /** Chooses a value of a list, as somebody who opens it does. */
  choose(selector: string, value: string): Promise<void>;
  /** What is downloaded while something is done. */
  download(act: () => Promise<unknown>): Promise<string>;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

const CODES: Readonly<Record<string, number>> = { Enter: 13, Escape: 27, Tab: 9, ArrowDown: 40, ArrowUp: 38 };

/** Opens the viewer of a server in a browser of its own. */
export async function openViewer(url: string, query: string, view: View = {}): Promise<Reader> {
  const { width = 1440, height = 900, theme = 'light' } = view;
  const page = await openPage('about:blank');
  const reader = { ...page, ...actions(page, url) };
  await reader.resize(width, height);
  await reader.prefer(theme);
  await reader.go(query);
  return reader;
}

const between = (from: Point, to: Point, part: number): Point => ({
  x: from.x + (to.x - from.x) * part,
  y: from.y + (to.y - from.y) * part,
});

async function downloaded(page: Page, act: () => Promise<unknown>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ors-kit-download-'));
  try {
    await page.send('Page.setDownloadBehavior', { behavior: 'allow', downloadPath: folder });
    await act();
    const end = performance.now() + DOWNLOAD_MS;
    while (performance.now() < end) {
      const names = await readdir(folder);
      const [name] = names;
      const isDone = name !== undefined && !names.some((each) => each.endsWith('.crdownload'));
      // An empty file keeps the name free while the other one grows.
      const text = isDone ? await readFile(join(folder, name), 'utf8') : '';
      if (text !== '') return text;
      await sleep(20);
    }
    throw new Error('nothing was downloaded');
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function actions(page: Page, url: string): Omit<Reader, keyof Page> {
  const find = (selector: string, text?: string) =>
    `[...document.querySelectorAll(${JSON.stringify(selector)})].find((it) => ${text === undefined ? 'true' : `it.textContent.includes(${JSON.stringify(text)})`})`;
  const mouse = (type: string, at: object) =>
    page.send('Input.dispatchMouseEvent', { type, button: 'left', clickCount: 1, ...at });
  return {
    async go(query) {
      await page.send('Page.navigate', { url: `${url}/ui/${query}` });
      await page.until(`location.href === ${JSON.stringify(`${url}/ui/${query}`)} && document.querySelector('main')`);
    },
    async press(...keys) {
      for (const key of keys) {
        const code = { key, windowsVirtualKeyCode: CODES[key] ?? key.toUpperCase().charCodeAt(0) };
        const text = key.length === 1 ? { text: key } : key === 'Enter' ? { text: '\r' } : {};
        await page.send('Input.dispatchKeyEvent', { type: 'keyDown', ...code, ...text });
        await page.send('Input.dispatchKeyEvent', { type: 'keyUp', ...code });
      }
    },
    async click(selector, text) {
      const element = find(selector, text);
      await page.until(element);
      const at = await page.evaluate<{ x: number; y: number }>(
        `(() => { const it = ${element}; it.scrollIntoView({ block: 'nearest' }); const { x, y, width, height } = it.getBoundingClientRect(); return { x: x + width / 2, y: y + height / 2 }; })()`,
      );
      // Some things are there only while they are pointed at.
      await mouse('mouseMoved', { ...at, button: 'none' });
      await mouse('mousePressed', at);
      await mouse('mouseReleased', at);
    },
    async type(text) {
      await page.send('Input.insertText', { text });
    },
    text: (selector) => page.evaluate<string>(`document.querySelector(${JSON.stringify(selector)})?.innerText ?? ''`),
    texts: (selector) =>
      page.evaluate<string[]>(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((it) => it.innerText)`),
    async drag(from, to) {
      await mouse('mousePressed', from);
      for (const part of [0.3, 0.7, 1]) await mouse('mouseMoved', { ...between(from, to, part), buttons: 1 });
      await mouse('mouseReleased', to);
    },
    wheel: async (at, by) => {
      await page.send('Input.dispatchMouseEvent', { type: 'mouseWheel', ...at, deltaX: 0, deltaY: by });
    },
    choose: async (selector, value) => {
      await page.until(find(selector));
      await page.evaluate(
        `(() => { const it = ${find(selector)}; it.value = ${JSON.stringify(value)}; it.dispatchEvent(new Event('change', { bubbles: true })); })()`,
      );
    },
    download: (act) => downloaded(page, act),
    async prefer(theme) {
      await page.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: theme }] });
    },
    async resize(width, height) {
      const device = { deviceScaleFactor: 1, mobile: width < 500 };
      await page.send('Emulation.setDeviceMetricsOverride', { width, height, ...device });
    },
    async setOffline(isOffline) {
      const none = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
      await page.send('Network.emulateNetworkConditions', { offline: isOffline, ...none });
    },
  };
}
