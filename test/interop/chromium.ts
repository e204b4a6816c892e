import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { DevTools } from './devtools.ts';

export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-component-update', '--no-first-run'];
const PATIENCE_MS = 20_000;

/** A page in a browser of its own. */
export interface Page extends AsyncDisposable {
  /** What was said on the console: by scripts, of errors, and by the browser of what it refused. */
  readonly console: readonly string[];
  /** The origins that the page asked for something, preflights included. */
  readonly hosts: ReadonlySet<string>;
  /** The value of an expression, awaited if it is a promise; it must be JSON. Rejects with the page's exception. */
  evaluate<Value>(expression: string): Promise<Value>;
  /** A command of the DevTools protocol to the page. Rejects with the browser's message. */
  send(method: string, params?: object): Promise<Record<string, unknown>>;
  /** Waits until an expression is true. Rejects after 20 s. */
  until(expression: string): Promise<void>;
}

/** Opens a URL in headless Chromium; closing the page ends the browser. */
export async function openPage(url: string): Promise<Page> {
  const profile = await mkdtemp(join(tmpdir(), 'ors-kit-browser-'));
  const browser = spawn(CHROMIUM, [...FLAGS, `--user-data-dir=${profile}`, '--remote-debugging-pipe', 'about:blank'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  const exit = once(browser, 'exit');
  const devTools = new DevTools(browser.stdio[3] as Writable, browser.stdio[4] as Readable);
  const close = async () => {
    browser.kill();
    await exit;
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    return { ...(await visit(devTools, url)), [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function visit(devTools: DevTools, url: string): Promise<Omit<Page, typeof Symbol.asyncDispose>> {
  const { targetId } = await devTools.send('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await devTools.send('Target.attachToTarget', { targetId, flatten: true });
  devTools.sessionId = String(sessionId);
  const said: string[] = [];
  const hosts = new Set<string>();
  devTools.events.on('Runtime.consoleAPICalled', ({ args }) => said.push(JSON.stringify(args)));
  devTools.events.on('Runtime.exceptionThrown', ({ exceptionDetails }) => said.push(textOf(exceptionDetails)));
  devTools.events.on('Log.entryAdded', ({ entry }) => said.push(entry.text));
  devTools.events.on('Network.requestWillBeSent', ({ request }) => {
    // Pictures in data: URLs are asked of nobody.
    if (request.url.startsWith('http')) hosts.add(new URL(request.url).origin);
  });
  for (const domain of ['Runtime', 'Log', 'Network', 'Page']) await devTools.send(`${domain}.enable`);
  const loaded = once(devTools.events, 'Page.loadEventFired');
  await devTools.send('Page.navigate', { url });
  await loaded;

  async function evaluate<Value>(expression: string): Promise<Value> {
    const params = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await devTools.send('Runtime.evaluate', params);
    if (exceptionDetails) throw new Error(textOf(exceptionDetails));
    return (result as { value: Value }).value;
  }
  return {
    console: said,
    hosts,
    evaluate,
    send: (method, params) => devTools.send(method, params),
    async until(expression) {
      const end = performance.now() + PATIENCE_MS;
      while (!(await evaluate(`Boolean(${expression})`))) {
        if (performance.now() > end) throw new Error(`${url} did not come to: ${expression}`);
        await sleep(20);
      }
    },
  };
}

/** What an exception says, as DevTools describe it. */
function textOf(details: unknown): string {
  const { text, exception } = details as { text: string; exception?: { description?: string } };
  return exception?.description ?? text;
}
