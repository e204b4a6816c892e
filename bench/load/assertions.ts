import { createParser } from 'eventsource-parser';
import type { HttpResponse } from './response-parser.ts';

/** A response other than the expected one: counted and reported, while the load continues. */
export class UnexpectedResponseError extends Error {}

export interface ParsedEvent {
  event: string | undefined;
  data: string;
}

/** Parses all events of an SSE body. */
export function parseEvents(body: string): ParsedEvent[] {
  const events: ParsedEvent[] = [];
  const parser = createParser({ onEvent: ({ event, data }) => events.push({ event, data }) });
  parser.feed(body);
  return events;
}

export function assertOk(response: HttpResponse, what: string): void {
  if (response.status !== 200) {
    throw new UnexpectedResponseError(`${what}: status ${response.status}, ${excerpt(response.body)}`);
  }
}

/** Parses the response to a call, asserts its only text block and its reward, and returns the task_id. */
export function assertCallResult(response: HttpResponse, text: string, reward: number | null): string {
  assertOk(response, 'call');
  const events = parseEvents(response.body);
  const names = events.map(({ event }) => event);
  const inOrder = names[0] === 'task_id' && names.at(-1) === 'end' && names.slice(1, -1).every((n) => n === 'chunk');
  if (!inOrder) throw new UnexpectedResponseError(`call: the events were ${excerpt(names.join(', '))}`);

  const json = events
    .slice(1)
    .map(({ data }) => data)
    .join('');
  if (!isExpected(json, text, reward)) throw new UnexpectedResponseError(`call: the result was ${excerpt(json)}`);
  const longest = Math.max(...events.map(({ data }) => data.length));
  if (longest > 4096) throw new UnexpectedResponseError(`call: an event has ${longest} characters, more than 4096`);
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
 * Creates an assertion for many equal calls that costs almost nothing: it parses the first response, and compares the
 * others with it byte by byte, except for the task_id. A response that differs is parsed too.
 */
export function createRepeatedCallAssertion(text: string, reward: number | null): (response: HttpResponse) => void {
  let tail = '';
  let length = -1;
  return (response) => {
    if (response.status === 200 && response.body.length === length && response.body.endsWith(tail)) return;
    const taskId = assertCallResult(response, text, reward);
    tail = response.body.slice(response.body.indexOf(taskId) + taskId.length);
    length = response.body.length;
  };
}

export function excerpt(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200)}... (${text.length} characters)`;
}
