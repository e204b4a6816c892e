import { expect, test } from '@jest/globals';
import { start } from '../support/client.ts';
import { lab } from '../support/lab.ts';
import { openPage } from './chromium.ts';
import { describeInBrowser } from './in-browser.ts';

const dom = 'document.documentElement.outerHTML';

describeInBrowser('the pages')('in a browser', () => {
  test('the reference shows every operation, asks no other host and breaks no policy', async () => {
    await using server = await start(lab().environment);

    await using page = await openPage(`${server.url}/docs/`);
    await page.until('document.querySelector("[data-path]")');

    for (const path of ['/list_environments', '/create_session', '/{env_name}/call', '/version']) {
      expect(await page.evaluate(dom)).toContain(`data-path="${path}"`);
    }
    expect(page.console).toEqual([]);
    expect([...page.hosts]).toEqual([server.url]);
  });

  test('the first page shows the environments and breaks no policy', async () => {
    await using server = await start([lab().environment, lab({ name: 'Other' }).environment]);

    await using page = await openPage(`${server.url}/`);

    expect(await page.evaluate(dom)).toContain('<h2>lab</h2>');
    expect(await page.evaluate(dom)).toContain('<h2>Other</h2>');
    expect(page.console).toEqual([]);
  });
});
