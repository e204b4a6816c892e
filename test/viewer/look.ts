/**
 * Takes a screenshot of a page, for people who work on the viewer.
 *
 * npx tsx test/viewer/look.ts <url> <file.png> [width x height] [light|dark] [expression to run before]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { closeBrowser, openPage } from '../interop/chromium.ts';

const [, , url = '', file = 'page.png', size = '1440x900', theme = 'light', expression] = process.argv;
const [width = 1440, height = 900] = size.split('x').map(Number);

const page = await openPage(url, { width, height, theme: theme === 'dark' ? 'dark' : 'light' });
await sleep(2_000);
if (expression !== undefined) {
  console.log(JSON.stringify(await page.evaluate(expression)));
  await sleep(700);
}
await page.tab.screenshot({ path: file });
console.log(page.console.join('\n'));
await closeBrowser();
