import { expect, test } from '@jest/globals';
import { type InProcessCommand, startInProcess } from '../support/command-in-process.ts';
import { folder, QUIZ } from './serving.ts';

const QUIET = ['--port', '0', '--log-level', 'silent'];
const HTML = { Accept: 'text/html' };
const offersOf = (page: string) => page.match(/<meta name="ors-offers" content="([^"]*)">/)?.[1];

async function addressOf(command: InProcessCommand): Promise<string> {
  const [, address = ''] = await command.says(/viewer and playground: (\S+)\/ui\//);
  return address;
}

test('shows the traces of --traces in the viewer of a local server', async () => {
  await using at = await folder({ 'environment.mjs': QUIZ });
  const flags = [...QUIET, '--traces', at.path('traces.db')];
  await using command = startInProcess(['serve', at.path('environment.mjs'), ...flags]);
  const url = await addressOf(command);

  const page = await (await fetch(`${url}/ui/`, { headers: HTML })).text();
  const access = await fetch(`${url}/v1/access`);
  const foreign = await fetch(`${url}/v1/access`, { headers: { Origin: 'https://elsewhere.example' } });

  expect(offersOf(page)).toBe('environments traces');
  expect([access.status, foreign.status]).toEqual([200, 403]);
});

test.each([
  ['keys', ['--api-keys', 'keys'], { 'X-API-Key': 'a-long-key-of-ann' }],
  ['other host names', ['--allowed-host', 'play.example'], {}],
])(
  'shows only environments with %s, since players must not read the traces of others',
  async (_what, more, headers) => {
    await using at = await folder({ 'environment.mjs': QUIZ, keys: 'ann:a-long-key-of-ann\n' });
    const options = more.map((it) => (it === 'keys' ? at.path(it) : it));
    const flags = [...QUIET, '--traces', at.path('traces.db'), ...options];
    await using command = startInProcess(['serve', at.path('environment.mjs'), ...flags]);
    const url = await addressOf(command);

    const page = await (await fetch(`${url}/ui/`, { headers: HTML })).text();
    const access = await fetch(`${url}/v1/access`, { headers, redirect: 'manual' });

    expect(offersOf(page)).toBe('environments');
    expect(access.status).toBe(404);
  },
);
