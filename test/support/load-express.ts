import { request, start } from './client.ts';
import { lab } from './lab.ts';

let loading: Promise<void> | undefined;

/**
 * Lets Jest load Express, which blocks a server for seconds. Call it before a command sends a request, since commands wait
 * only five seconds for the first response.
 */
export function loadExpress(): Promise<void> {
  loading ??= load();
  return loading;
}

async function load(): Promise<void> {
  await using server = await start(lab().environment);
  await request(server, 'GET', '/docs/');
}
