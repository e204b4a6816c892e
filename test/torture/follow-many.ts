import { once } from 'node:events';
import { Agent, type ClientRequest, get, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { createParser } from 'eventsource-parser';
import { until, withDeadline } from '../support/until.ts';

/**
 * Followers of one trace, each over a separate connection; every tenth reads nothing. Prints their number once all are
 * connected. Then answers `until <ordinal>` with whether all readers have received the blocks up to it in order, and `drop
 * <count>` with the number of remaining followers. @param ids prefix of the block ids, which end with their ordinals.
 */
const [url = '', count = '', ids = ''] = process.argv.slice(2);
const AT_A_TIME = 100;
const SILENT = 10;
const DEADLINE_MS = 240_000;
const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
const followers: Follower[] = [];
let disordered = 0;

interface Follower {
  readonly request: ClientRequest;
  readonly reads: boolean;
  place: number;
}

async function follow(number: number): Promise<void> {
  const request = get(url, { agent });
  const [response] = (await withDeadline(once(request, 'response'), `the response to follower ${number}`)) as [
    IncomingMessage,
  ];
  if (response.statusCode !== 200) throw new Error(`follower ${number} was answered ${response.statusCode}`);
  const follower = { request, reads: number % SILENT !== 0, place: 0 };
  followers.push(follower);
  // Dropped connections emit errors.
  for (const each of [request, response]) each.on('error', () => {});
  if (!follower.reads) return void response.pause();
  const parser = createParser({
    onEvent({ event, id, data }) {
      if (event !== 'block') return;
      follower.place++;
      if (Number(id) !== follower.place || JSON.parse(data).id !== `${ids}${follower.place}`) disordered++;
    },
  });
  response.setEncoding('utf8').on('data', (text: string) => parser.feed(text));
}

async function untilAllAreAt(place: number): Promise<string> {
  const readers = followers.filter(({ reads }) => reads);
  await until(() => readers.every((reader) => reader.place >= place), `place ${place} of all readers`, DEADLINE_MS);
  const beyond = readers.filter((reader) => reader.place > place).length;
  return JSON.stringify({ readers: readers.length, disordered, beyond });
}

for (let number = 0; number < Number(count); number += AT_A_TIME) {
  const wave = Math.min(AT_A_TIME, Number(count) - number);
  await Promise.all(Array.from({ length: wave }, (_, place) => follow(number + place)));
}
console.log(followers.length);
for await (const line of createInterface({ input: process.stdin })) {
  const [what, number = ''] = line.split(' ');
  if (what === 'until') console.log(await untilAllAreAt(Number(number)));
  else {
    for (const { request } of followers.splice(0, Number(number))) request.destroy();
    console.log(followers.length);
  }
}
process.exit();
