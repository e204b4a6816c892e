import { expect, test } from '@jest/globals';
import { apiKeys } from 'ors-kit/server';
import countdown from '../../examples/countdown/environment.ts';
import { issueKey, serveTraces } from '../../src/trace/api/index.ts';
import { createMemoryStore } from '../../src/trace/store/index.ts';
import { start } from '../support/client.ts';

const HTML = { Accept: 'text/html' };
const offersOf = (page: string) => page.match(/<meta name="ors-offers" content="([^"]*)">/)?.[1];
const assetsOf = (page: string) => [...page.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, path]) => path);

test('serves the page of an environment server at /ui/, from its own files only', async () => {
  await using server = await start(countdown);

  const page = await fetch(`${server.url}/ui`, { headers: HTML });

  expect(page.url).toBe(`${server.url}/ui/`);
  expect(page.headers.get('Content-Security-Policy')).toMatch(/^default-src 'self'; img-src 'self' data:/);
  expect(page.headers.get('Cache-Control')).toBe('no-cache');
  const html = await page.text();
  expect(offersOf(html)).toBe('environments');
  expect(html).not.toMatch(/<script[^>]*>[^<]|<style|https?:/);
  expect([...new Set(assetsOf(html).map((asset) => asset?.split('.').at(-1)))].sort()).toEqual(['css', 'js', 'svg']);
  for (const asset of assetsOf(html)) {
    const answer = await fetch(`${server.url}/ui/${asset}`);
    expect([asset, answer.status, answer.headers.get('Cache-Control')]).toEqual([
      asset,
      200,
      'public, max-age=31536000, immutable',
    ]);
  }
});

test.each(['/ui', '/ui/', '/ui/index.html', '/ui/?view=run&run=a'])(
  'serves the features of the server in the page at %s, for every method',
  async (path) => {
    await using server = await start(countdown);

    for (const headers of [HTML, { Accept: '*/*' }, { Accept: 'application/json' }]) {
      const page = await fetch(server.url + path, { headers });
      const head = await fetch(server.url + path, { headers, method: 'HEAD' });

      expect([page.status, offersOf(await page.text())]).toEqual([200, 'environments']);
      expect(page.headers.get('Cache-Control')).toBe('no-cache');
      expect([head.status, head.headers.get('ETag')]).toEqual([200, null]);
    }
  },
);

test('serves the page of a trace store', async () => {
  await using store = createMemoryStore();
  await using server = await serveTraces({ store, port: 0 });

  const page = await fetch(`${server.url}/ui/`, { headers: HTML });

  expect(offersOf(await page.text())).toBe('traces');
});

test('serves the page without a key if everything else requires one', async () => {
  await using store = createMemoryStore();
  await using traces = await serveTraces({ store, port: 0, needsKeys: true });
  await using server = await start(countdown, { authenticate: apiKeys(['me:a-secret-key-of-16']) });

  expect(offersOf(await (await fetch(`${traces.url}/ui/`, { headers: HTML })).text())).toBe('traces keys');
  for (const { url } of [traces, server]) {
    const page = await fetch(`${url}/ui/`, { headers: HTML });
    expect([url, page.status]).toEqual([url, 200]);
    expect((await fetch(`${url}/ui/index.html`)).status).toBe(200);
    const [asset] = assetsOf(await page.text());
    expect((await fetch(`${url}/ui/${asset}`)).status).toBe(200);
    for (const path of ['/ui/tools', '/ui/assets', '/ui/assets/', '/ui/assets/x/tools', '/ui//', '/uiassets/x']) {
      expect([path, (await fetch(url + path, { redirect: 'manual' })).status]).toEqual([path, 401]);
    }
    // Nothing else can be reached through the path of the assets.
    for (const path of [
      '/ui/assets/..%2f..%2fpackage.json',
      '/ui/assets/%2e%2e%2f%2e%2e%2fpackage.json',
      '/ui/assets/nothing',
    ]) {
      expect((await fetch(url + path, { redirect: 'manual' })).status).not.toBe(200);
    }
  }
});

test('reports the organization and the scopes of a key', async () => {
  await using store = createMemoryStore();
  await using server = await serveTraces({ store, port: 0, needsKeys: true });
  const { secret } = await issueKey(store, { org: 'my-lab', name: 'reader', scopes: ['read'] });

  const answer = await fetch(`${server.url}/v1/access`, { headers: { Authorization: `Bearer ${secret}` } });

  expect(await answer.json()).toEqual({ organization: 'my-lab', scopes: ['read'] });
});

test('grants everything to everyone, as the default organization, if there are no keys', async () => {
  await using store = createMemoryStore();
  await using server = await serveTraces({ store, port: 0 });

  const answer = await fetch(`${server.url}/v1/access`);

  expect(await answer.json()).toEqual({ organization: 'default', scopes: ['read', 'write'] });
});

test('can be disabled', async () => {
  await using store = createMemoryStore();
  await using traces = await serveTraces({ store, port: 0, viewer: false });
  await using server = await start([countdown], { viewer: false });

  for (const { url } of [traces, server]) {
    expect((await fetch(`${url}/ui/`, { headers: HTML, redirect: 'manual' })).status).not.toBe(200);
  }
});
