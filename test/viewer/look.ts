/**
 * Takes a picture of a page, for people who work on the viewer.
 *
 *   npx tsx test/viewer/look.ts <url> <file.png> [width x height] [light|dark] [expression to run before]
 */
import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPage } from '../interop/chromium.ts';

const [, , url = '', file = 'page.png', size = '1440x900', theme = 'light', expression] = process.argv;
const [width = 1440, height = 900] = size.split('x').map(Number);

await using page = await openPage('about:blank');
await page.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 500 });
await page.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: theme }] });
await page.send('Page.navigate', { url });
await sleep(2_000);
if (expression !== undefined) {
  console.log(JSON.stringify(await page.evaluate(expression)));
  await sleep(700);
}
const { data } = await page.send('Page.captureScreenshot', { format: 'png' });
await writeFile(file, Buffer.from(String(data), 'base64'));
console.log(page.console.join('\n'));
