import { request, start } from './client.ts';
import { lab } from './lab.ts';

/**
 * Has Jest load Express, for which it needs seconds in which a server answers nothing: before a command asks one, which
 * gives it five seconds for its first answer.
 */
export async function loadExpress(): Promise<void> {
  await using server = await start(lab().environment);
  await request(server, 'GET', '/docs/');
}
