import { createParser } from 'eventsource-parser';
import type { Reply } from './reply-parser.ts';

/** An answer that is not the right one: counted as an error, and reported. */
export class WrongAnswer extends Error {}

export interface SentEvent {
  event: string | undefined;
  data: string;
}

/** All events of an SSE body. */
export function eventsOf(body: string): SentEvent[] {
  const events: SentEvent[] = [];
  const parser = createParser({ onEvent: ({ event, data }) => events.push({ event, data }) });
  parser.feed(body);
  return events;
}

export function expectStatus(reply: Reply, what: string): void {
  if (reply.status !== 200) throw new WrongAnswer(`${what}: status ${reply.status}, ${excerpt(reply.body)}`);
}

/** Reads the reply to a call in full, requires the one text and the reward, and returns the task_id. */
export function checkCall(reply: Reply, text: string, reward: number | null): string {
  expectStatus(reply, 'call');
  const events = eventsOf(reply.body);
  const names = events.map(({ event }) => event);
  const inOrder = names[0] === 'task_id' && names.at(-1) === 'end' && names.slice(1, -1).every((n) => n === 'chunk');
  if (!inOrder) throw new WrongAnswer(`call: the events were ${excerpt(names.join(', '))}`);

  const json = events
    .slice(1)
    .map(({ data }) => data)
    .join('');
  if (!isExpected(json, text, reward)) throw new WrongAnswer(`call: the result was ${excerpt(json)}`);
  const longest = Math.max(...events.map(({ data }) => data.length));
  if (longest > 4096) throw new WrongAnswer(`call: an event of ${longest} characters, more than 4096`);
  return events[0]?.data ?? '';
}

function isExpected(json: string, text: string, reward: number | null): boolean {
  try {
    const { ok, output } = JSON.parse(json);
    const [block, ...more] = output.blocks;
    const isText = block.type === 'text' && block.text === text && more.length === 0;
    return ok === true && isText && output.reward === reward && output.finished === false;
  } catch {
    return false;
  }
}

/**
 * A check of each of many equal calls that costs next to nothing: the first reply is read in full, and the others
 * must equal it, byte by byte, but for the task_id. A reply that differs is read in full too.
 */
export function repeatedCallCheck(text: string, reward: number | null): (reply: Reply) => void {
  let tail = '';
  let length = -1;
  return (reply) => {
    if (reply.status === 200 && reply.body.length === length && reply.body.endsWith(tail)) return;
    const taskId = checkCall(reply, text, reward);
    tail = reply.body.slice(reply.body.indexOf(taskId) + taskId.length);
    length = reply.body.length;
  };
}

export function excerpt(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200)}... (${text.length} characters)`;
}
