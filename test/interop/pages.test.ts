import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { start } from '../support/client.ts';
import { lab } from '../support/lab.ts';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const hasChromium = existsSync(CHROMIUM);
if (!hasChromium)
  console.log(`SKIPPED the pages in a browser: there is no ${CHROMIUM}; install chromium or set CHROMIUM`);

interface Visit {
  /** The page after its scripts have run. */
  readonly dom: string;
  /** What the page said on the console: errors, and what the content security policy refused. */
  readonly console: readonly string[];
  /** The hosts that the page asked for something. */
  readonly hosts: readonly string[];
}

async function visit(url: string): Promise<Visit> {
  const folder = await mkdtemp(join(tmpdir(), 'ors-kit-browser-'));
  const log = join(folder, 'net.json');
  try {
    const { stdout, stderr } = await promisify(execFile)(
      CHROMIUM,
      [
        ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-component-update', '--no-first-run'],
        ...['--virtual-time-budget=10000', '--enable-logging=stderr', `--user-data-dir=${folder}/profile`],
        ...[`--log-net-log=${log}`, '--dump-dom', url],
      ],
      { timeout: 60_000, maxBuffer: 64 * 1024 * 1024 },
    );
    return {
      dom: stdout,
      console: stderr.split('\n').filter((line) => line.includes('CONSOLE')),
      hosts: requestedBy(new URL(url).origin, await readFile(log, 'utf8')),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The browser asks for things of its own as well; a page's requests name the page as their initiator. */
function requestedBy(origin: string, netLog: string): string[] {
  const events: { params?: { url?: string; initiator?: string } }[] = JSON.parse(netLog).events;
  const urls = events.filter(({ params }) => params?.initiator === origin).map(({ params }) => params?.url ?? '');
  return [...new Set(urls.map((url) => new URL(url).origin))];
}

// Skipped only where there is no browser, for the reason printed above.
const describeInBrowser = hasChromium ? describe : describe.skip;

describeInBrowser('in a browser', () => {
  test('the reference shows every operation, asks no other host and breaks no policy', async () => {
    await using server = await start(lab().environment);

    const { dom, console: said, hosts } = await visit(`${server.url}/docs/`);

    for (const path of ['/list_environments', '/create_session', '/{env_name}/call', '/version']) {
      expect(dom).toContain(`data-path="${path}"`);
    }
    expect(said).toEqual([]);
    expect(hosts).toEqual([server.url]);
  });

  test('the first page shows the environments and breaks no policy', async () => {
    await using server = await start([lab().environment, lab({ name: 'Other' }).environment]);

    const { dom, console: said } = await visit(`${server.url}/`);

    expect(dom).toContain('<h2>lab</h2>');
    expect(dom).toContain('<h2>Other</h2>');
    expect(said).toEqual([]);
  });
});
