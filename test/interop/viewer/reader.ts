import { readFile } from 'node:fs/promises';
import type { Page as Tab } from 'playwright-core';
import { openPage, type Page, type View } from '../chromium.ts';

/** Browser page with the viewer, and the actions of a user. */
export interface Reader extends Page {
  /** Navigates to a page of the viewer, such as `?view=runs`. */
  go(query: string): Promise<void>;
  /** Presses keys in order; names as in `KeyboardEvent.key`. */
  press(...keys: string[]): Promise<void>;
  /** Clicks the first element that matches a selector and contains `text`. */
  click(selector: string, text?: string): Promise<void>;
  /** Types into the focused field. */
  type(text: string): Promise<void>;
  /** Returns the visible text of the first match; empty if there is none. */
  text(selector: string): Promise<string>;
  texts(selector: string): Promise<readonly string[]>;
  /** Sets the colour scheme of the system. */
  prefer(theme: 'light' | 'dark'): Promise<void>;
  resize(width: number, height: number): Promise<void>;
  setOffline(isOffline: boolean): Promise<void>;
  /** Moves the mouse. */
  point(at: Point): Promise<void>;
  /** Drags from one point to another. */
  drag(from: Point, to: Point): Promise<void>;
  /** Scrolls at a point; positive is down. */
  wheel(at: Point, by: number): Promise<void>;
  /** Waits until the rows of a transcript have not moved for some frames. */
  still(): Promise<void>;
  /** Selects an option of a list. */
  choose(selector: string, value: string): Promise<void>;
  /** Returns the path of the file that is downloaded by an action. */
  download(act: () => Promise<unknown>): Promise<string>;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Resolves when no rendered row has moved for some frames. */
const STILL = `new Promise((done) => {
  let before, frames = 0;
  const look = () => {
    const positions = [...document.querySelectorAll('.tr-row')].map((row) => [row.dataset.row, row.getBoundingClientRect().top]);
    const now = JSON.stringify(positions);
    frames = now === before ? frames + 1 : 0;
    before = now;
    if (frames < 10) requestAnimationFrame(look);
    else done();
  };
  look();
})`;

/** Opens the viewer of a server in a new browser. */
export async function openViewer(url: string, query: string, view: View = {}): Promise<Reader> {
  const page = await openPage('about:blank', view);
  const reader = { ...page, ...actions(page, url) };
  await reader.go(query);
  return reader;
}

function actions(page: Page, url: string): Omit<Reader, keyof Page> {
  const { tab } = page;
  return {
    async go(query) {
      await tab.goto(`${url}/ui/${query}`);
      await page.until(`document.querySelector('main')`);
    },
    async press(...keys) {
      for (const key of keys) await tab.keyboard.press(key);
    },
    async click(selector, text) {
      await tab
        .locator(selector, text === undefined ? {} : { hasText: text })
        .first()
        .click();
    },
    type: (text) => tab.keyboard.insertText(text),
    text: (selector) => page.evaluate<string>(`document.querySelector(${JSON.stringify(selector)})?.innerText ?? ''`),
    texts: (selector) =>
      page.evaluate<string[]>(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((it) => it.innerText)`),
    prefer: (theme) => tab.emulateMedia({ colorScheme: theme }),
    resize: (width, height) => tab.setViewportSize({ width, height }),
    setOffline: (isOffline) => tab.context().setOffline(isOffline),
    point: ({ x, y }) => tab.mouse.move(x, y),
    drag: (from, to) => draw(tab, from, to),
    async wheel({ x, y }, by) {
      await tab.mouse.move(x, y);
      await tab.mouse.wheel(0, by);
    },
    still: () => page.evaluate(STILL),
    async choose(selector, value) {
      await tab.selectOption(selector, value);
    },
    download: (act) => downloaded(tab, act),
  };
}

async function draw({ mouse }: Tab, from: Point, to: Point): Promise<void> {
  await mouse.move(from.x, from.y);
  await mouse.down();
  await mouse.move(to.x, to.y, { steps: 3 });
  await mouse.up();
}

async function downloaded(tab: Tab, act: () => Promise<unknown>): Promise<string> {
  const [download] = await Promise.all([tab.waitForEvent('download'), act()]);
  return readFile(await download.path(), 'utf8');
}
