import { expect, test } from '@jest/globals';
import { defineEnvironment } from 'ors-kit';
import { apiKeys, type ServerOptions } from 'ors-kit/server';
import { issueKey, serveTraces } from '../../src/trace/api/index.ts';
import { createMemoryStore } from '../../src/trace/store/index.ts';
import { start } from '../support/client.ts';
import { lab } from '../support/lab.ts';

const HTML = { Accept: 'text/html,application/xhtml+xml' };
const KEY = 'a-secret-key-of-16';
const authenticate = apiKeys([`me:${KEY}`]);

const words = defineEnvironment({
  name: 'words',
  description: 'Guess <b>words</b>.',
  splits: {
    train: { count: 1_234, get: (index: number) => ({ index }) },
    empty: [],
    broken: {
      count: (): number => {
        throw new Error('no file');
      },
      get: (index: number) => ({ index }),
    },
  },
  prompt: () => 'Which word?',
  tools: { guess: { description: 'Guess a word.', run: () => ({ text: 'Wrong.' }) } },
});

const open = async (url: string, headers: Record<string, string> = {}) => {
  const response = await fetch(url, { headers: { ...HTML, ...headers } });
  return { status: response.status, headers: response.headers, html: await response.text() };
};
const linksIn = (html: string) => [...html.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href);
const plainText = (html: string) => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
const withoutCode = (html: string) => html.replace(/<style>.*<\/style>/s, '').replace(/<script>.*<\/script>/s, '');

test('describes each environment: text, splits with sizes, tools, and where to play it', async () => {
  await using server = await start([words, lab().environment]);

  const { status, html } = await open(`${server.url}/`);

  const text = plainText(withoutCode(html));
  expect(status).toBe(200);
  expect(text).toContain(
    'words Guess &lt;b&gt;words&lt;/b&gt;. Splits train 1,234 tasks empty 0 tasks broken Tools guess',
  );
  expect(text).toContain('guess Guess a word.');
  expect(linksIn(html)).toEqual(
    expect.arrayContaining([
      ...['ui/?view=environments', 'docs/', 'openapi.json', 'metrics'],
      'ui/?view=play&amp;environment=words&amp;split=train&amp;index=0',
      'ui/?view=environment&amp;environment=words&amp;split=empty',
    ]),
  );
});

test('shows a split whose size is not known in time, without its size', async () => {
  const slow = defineEnvironment({
    ...{ name: 'slow', prompt: () => '', taskTools: () => ({}) },
    splits: { train: { count: () => new Promise<number>(() => {}), get: () => ({}) } },
  });
  await using server = await start(slow);

  const { html } = await open(`${server.url}/`);

  expect(plainText(withoutCode(html))).toContain('Splits train Tools depend on the task Play slow train, task 0');
});

test('needs no other request, and allows nothing inline but its own style and script', async () => {
  await using server = await start(words);

  const { html, headers } = await open(`${server.url}/`);

  const policy = headers.get('Content-Security-Policy') ?? '';
  expect(policy).toMatch(
    /^default-src 'self'; .*; style-src 'self'( 'sha256-[^']+'){2}; script-src 'self'( 'sha256-[^']+'){2}$/,
  );
  expect(policy).not.toContain('unsafe');
  expect(html).not.toMatch(/ src=| on\w+=|<link rel="stylesheet"|https?:/);
  expect(html.length).toBeLessThan(12_000);
});

test.each<[string, ServerOptions, readonly string[], readonly string[]]>([
  ['without traces', {}, [], ['ui/?view=runs']],
  ['with traces', { mounts: { '/v1': (_, response) => void response.end() } }, ['ui/?view=runs'], []],
  ['without metrics', { metrics: false }, ['docs/'], ['metrics']],
  ['without the viewer', { viewer: false }, ['docs/'], ['ui/?view=environments', 'ui/?view=runs']],
])('links only to what the server has: %s', async (_, options, present, absent) => {
  await using server = await start(words, options);

  const links = linksIn((await open(`${server.url}/`)).html);

  expect(links).toEqual(expect.arrayContaining([...present]));
  for (const href of absent) expect(links).not.toContain(href);
});

test.each(['GET', 'HEAD'])(
  'asks browsers for a key on a server with keys, and shows them nothing else (%s)',
  async (method) => {
    await using server = await start(words, { authenticate });

    const asked = await fetch(`${server.url}/`, { method, headers: HTML });
    const program = await fetch(`${server.url}/`, { method });
    const html = await asked.text();

    expect([asked.status, asked.headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer realm="ors"']);
    expect(asked.headers.get('Content-Type')).toMatch(/^text\/html/);
    expect([html.includes('<form id="key">'), html.includes('words')]).toEqual([method === 'GET', false]);
    expect([program.status, program.headers.get('Content-Type')]).toEqual([401, 'application/json; charset=utf-8']);
  },
);

test('shows the page for a key, without links that a browser could not open', async () => {
  await using server = await start(words, { authenticate, openPaths: ['/metrics'] });

  const wrong = await open(`${server.url}/`, { Authorization: 'Bearer wrong' });
  const { status, html } = await open(`${server.url}/`, { Authorization: `Bearer ${KEY}` });

  expect([wrong.status, status]).toEqual([401, 200]);
  expect(linksIn(html)).toEqual(expect.arrayContaining(['metrics', 'ui/?view=environments']));
  expect(linksIn(html)).not.toContain('docs/');
  expect(plainText(html)).toContain('--open-path /docs /openapi.json opens it for browsers');
});

test('lists the latest runs of a trace store, and says how to record the first one', async () => {
  await using store = createMemoryStore();
  await using server = await serveTraces({ store, port: 0 });

  const before = await open(`${server.url}/`);
  await store.createTrace('default', { run: 'a & b' });
  await store.createTrace('other', { run: 'hidden' });
  const after = await open(`${server.url}/`);

  expect(plainText(before.html)).toContain('npx ors-kit serve environment.ts --traces');
  expect(linksIn(after.html)).toEqual(
    expect.arrayContaining(['ui/?view=runs', 'ui/?view=search', 'metrics', 'readyz', 'ui/?view=run&amp;run=a+%26+b']),
  );
  expect(plainText(after.html)).toMatch(/a &amp; b 1 - \d{4}-/);
  expect(after.html).not.toContain('hidden');
});

test('shows the runs of the organization of a key', async () => {
  await using store = createMemoryStore();
  await using server = await serveTraces({ store, port: 0, needsKeys: true });
  await store.createTrace('my-lab', { run: 'mine' });
  const { secret } = await issueKey(store, { org: 'my-lab', name: 'me', scopes: ['read'] });

  const asked = await open(`${server.url}/`);
  const shown = await open(`${server.url}/`, { Authorization: `Bearer ${secret}` });
  const program = await fetch(`${server.url}/`);

  expect([asked.status, asked.html.includes('<form id="key">'), asked.html.includes('mine')]).toEqual([
    401,
    true,
    false,
  ]);
  expect([shown.status, plainText(shown.html).includes('my-lab')]).toEqual([200, true]);
  expect(linksIn(shown.html)).toContain('ui/?view=run&amp;run=mine');
  expect([program.status, (await program.json()).error.code]).toEqual([401, 'UNAUTHENTICATED']);
});
