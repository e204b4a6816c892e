import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { apiKeys, type RunningServer, type ServerOptions } from 'ors-kit/server';
import countdown from '../../examples/countdown/environment.ts';
import orders from '../../examples/orders/environment.ts';
import { createTraceApi, issueKey, serveTraces } from '../../src/trace/api/index.ts';
import { createMemoryStore, type TraceStore } from '../../src/trace/store/index.ts';
import { start } from '../support/client.ts';
import { lab } from '../support/lab.ts';
import { openPage, type Page, violationsIn } from './chromium.ts';
import { describeInBrowser } from './in-browser.ts';

const dom = 'document.documentElement.outerHTML';
const ground = 'getComputedStyle(document.querySelector("body")).backgroundColor';
const KEY = 'a-secret-key-of-16';

/** Submits a key on a page that asks for one. */
async function enterKey({ tab }: Page, key: string): Promise<void> {
  await tab.fill('input[name=key]', key);
  await tab.click('button');
}

describeInBrowser('the pages')('in a browser', () => {
  const stores: TraceStore[] = [];
  const servers: RunningServer[] = [];
  afterAll(async () => {
    for (const server of servers) await server.close();
    for (const store of stores) await store.close();
  });

  /** Starts a server with two environments, and with the traces of a run. */
  async function serveExamples(options: ServerOptions = {}): Promise<RunningServer> {
    const store = createMemoryStore();
    stores.push(store);
    await store.createTrace('default', { run: 'first' });
    const api = createTraceApi(store, { viewer: false, metrics: false });
    const server = await start([countdown, orders], { mounts: { '/v1': api.handler }, ...options });
    servers.push(server);
    return server;
  }

  let open: RunningServer;
  let keyed: RunningServer;
  beforeAll(async () => {
    open = await serveExamples();
    keyed = await serveExamples({ authenticate: apiKeys([`me:${KEY}`]) });
  });

  test('the reference shows every operation, asks no other host, breaks no policy, and is accessible in both themes', async () => {
    await using server = await start(lab().environment);

    await using page = await openPage(`${server.url}/docs/`);
    await page.until('document.querySelector("[data-path]")');
    const shown = await page.evaluate(dom);
    const said = [...page.console];
    await page.tab.click('.opblock:has([data-path="/{env_name}/call"]) .opblock-summary-control');
    await page.until('document.querySelector(".opblock-body")');
    const light = await violationsIn(page);
    await page.tab.emulateMedia({ colorScheme: 'dark' });
    await page.until('document.documentElement.className === "dark-mode"');
    const dark = await violationsIn(page, ['color-contrast']);

    for (const path of ['/list_environments', '/create_session', '/{env_name}/call', '/version']) {
      expect(shown).toContain(`data-path="${path}"`);
    }
    expect(said).toEqual([]);
    expect([...page.hosts]).toEqual([server.url]);
    expect([light, dark]).toEqual([[], []]);
  });

  test('the pages follow the theme of the system, until one is selected in the viewer', async () => {
    await using page = await openPage(`${open.url}/`, { theme: 'light' });
    const light = await page.evaluate<string>(ground);
    await page.tab.emulateMedia({ colorScheme: 'dark' });
    const dark = await page.evaluate<string>(ground);
    await page.tab.goto(`${open.url}/docs/`);
    await page.until('document.querySelector("[data-path]")');
    const classes = () => page.evaluate<string>('document.documentElement.className');
    const ofSystem = await classes();
    await page.evaluate('localStorage.setItem("ors-theme", "light")');
    await page.tab.reload();
    const selected = await classes();
    await page.tab.goto(`${open.url}/`);

    expect([ofSystem, selected]).toEqual(['dark-mode', '']);
    expect(dark).not.toBe(light);
    expect(await page.evaluate<string>(ground)).toBe(light);
  });

  test('the first page shows the environments and breaks no policy', async () => {
    await using server = await start([lab().environment, lab({ name: 'Other' }).environment]);

    await using page = await openPage(`${server.url}/`);

    expect(await page.evaluate(dom)).toContain('<h2>lab</h2>');
    expect(await page.evaluate(dom)).toContain('<h2>Other</h2>');
    expect(page.console).toEqual([]);
  });

  test('the first pages of both servers are accessible in both themes and at every width', async () => {
    const [store] = stores;
    await using traces = await serveTraces({ store: store as TraceStore, port: 0 });

    for (const { url } of [open, keyed, traces]) {
      await using page = await openPage(`${url}/`, { theme: 'dark' });
      expect([url, await violationsIn(page, ['color-contrast'])]).toEqual([url, []]);
      await page.tab.emulateMedia({ colorScheme: 'light' });
      for (const width of [1440, 390]) {
        await page.tab.setViewportSize({ width, height: 900 });

        expect([url, await violationsIn(page)]).toEqual([url, []]);
        expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      }
      expect([...page.hosts]).toEqual([url]);
    }
  });

  test('the links of the first page lead to pages that show something', async () => {
    await using page = await openPage(`${open.url}/`);
    const links = await page.evaluate<string[]>('[...document.querySelectorAll("a")].map(({ href }) => href)');

    for (const link of links.filter((each) => each.includes('/ui/'))) {
      await page.tab.goto(link);
      await page.until('document.querySelector("main h1, main h2") && !document.querySelector(".skeleton")');
      expect([link, await page.evaluate('document.querySelector(".failure") === null')]).toEqual([link, true]);
    }
    expect(links.length).toBeGreaterThan(6);
  });

  test('the first page asks for a key, rejects a wrong one, and shows itself and the viewer with a right one', async () => {
    await using page = await openPage(`${keyed.url}/`);
    await enterKey(page, 'wrong');
    await page.until('document.querySelector("[role=alert]").textContent !== ""');
    const rejected = await page.evaluate<string>('document.querySelector("[role=alert]").textContent');
    await enterKey(page, KEY);
    await page.until('document.querySelector("h2")');
    const shown = await page.evaluate<string>('document.querySelector("main").innerText');
    const violations = await violationsIn(page);
    await page.tab.click('text=Play');
    await page.until('document.querySelector(".env-card")');
    await page.tab.goto(`${keyed.url}/`);
    await page.until('document.querySelector("h2")');

    expect(rejected).toContain('not known');
    expect(shown).toContain('countdown');
    expect(violations).toEqual([]);
  });

  test('the first page of a trace store asks for a key, and shows the runs of its organization', async () => {
    const store = createMemoryStore();
    stores.push(store);
    await using traces = await serveTraces({ store, port: 0, needsKeys: true });
    await store.createTrace('my-lab', { run: 'mine' });
    const { secret } = await issueKey(store, { org: 'my-lab', name: 'me', scopes: ['read'] });

    await using page = await openPage(`${traces.url}/`);
    await enterKey(page, secret);
    await page.until('document.querySelector("table")');
    await page.tab.click('text=mine');
    await page.until('document.querySelector("table.traces")');

    expect(page.tab.url()).toContain('/ui/?view=run&run=mine');
  });
});
