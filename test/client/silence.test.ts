import { expect, test } from '@jest/globals';
import type { OrsClientOptions } from 'ors-kit/client';
import {
  createClient,
  event,
  inOrder,
  json,
  open,
  openEpisode,
  output,
  type Responder,
  startFakeServer,
  stream,
} from './fake-server.ts';

const FIRST = event('task_id', 't1');
const DONE = event('end', output('done'));

/** Blocks the event loop. */
function blockEventLoop(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

/** Calls a tool of a server with this response, and counts the requests. */
async function callOf(answer: Responder, options: OrsClientOptions) {
  await using server = await startFakeServer({ '/maze/call': answer });
  await using client = createClient(server, options);
  const session = await openEpisode(client);
  const { text, repeated } = await session.call('go');
  return { text, repeated, times: server.to('/maze/call').length };
}

// Concurrent, since they mostly wait; those that block the event loop run alone.
test.concurrent('resumes a silent stream, which costs nothing while the server responds to pings', async () => {
  const silent = open(FIRST);
  const answer = inOrder(silent, silent, silent, silent, stream(FIRST, DONE));

  const { text, times } = await callOf(answer, { stallTimeoutMs: 500, retry: { budgetMs: 1_500 } });

  expect(text).toBe('done');
  expect(times).toBe(5);
});

test('reads data that arrived while the event loop was blocked before it treats a stream as silent', async () => {
  const answer: Responder = (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(FIRST);
    setTimeout(() => {
      response.end(DONE);
      blockEventLoop(700);
    }, 100);
  };

  const { text, times } = await callOf(answer, { stallTimeoutMs: 500 });

  expect(text).toBe('done');
  expect(times).toBe(1);
});

test.concurrent('waits for a stream as long as heartbeats arrive', async () => {
  const answer: Responder = (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(FIRST);
    let beats = 0;
    const timer = setInterval(() => {
      if (++beats < 12) return response.write(': ping\n\n');
      clearInterval(timer);
      return response.end(DONE);
    }, 100);
  };

  const { text, times } = await callOf(answer, { stallTimeoutMs: 1_000 });

  expect(text).toBe('done');
  expect(times).toBe(1);
});

test.concurrent('does not repeat a silent call without a task id, because it would run twice', async () => {
  const answer: Responder = (response) => void setTimeout(() => stream(FIRST, DONE)(response, {} as never, 1), 200);

  const { repeated, times } = await callOf(answer, { stallTimeoutMs: 30 });

  expect(repeated).toBe(false);
  expect(times).toBe(1);
});

test.concurrent('accepts a slow JSON response', async () => {
  const answer: Responder = (response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    const text = output('slow');
    let sent = 0;
    const timer = setInterval(() => {
      response.write(text.slice(sent, sent + 4));
      sent += 4;
      if (sent < text.length) return;
      clearInterval(timer);
      response.end();
    }, 80);
  };

  const { text, times } = await callOf(answer, { stallTimeoutMs: 1_000 });

  expect(text).toBe('slow');
  expect(times).toBe(1);
});

test('reads a response that arrived while the event loop was blocked before it repeats the request', async () => {
  const answer: Responder = (response) => {
    setTimeout(() => {
      json([])(response, {} as never, 1);
      blockEventLoop(700);
    }, 100);
  };
  await using server = await startFakeServer({ '/maze/prompt': answer });
  await using client = createClient(server, { responseTimeoutMs: 500 });
  const session = await openEpisode(client);

  await session.prompt();

  expect(server.to('/maze/prompt')).toHaveLength(1);
});

test.concurrent('waits for a slow deletion while the server responds to other requests', async () => {
  const silent: Responder = () => {};
  await using server = await startFakeServer({ '/delete': inOrder(silent, silent, silent, json({ sid: 's1' })) });
  await using client = createClient(server, { responseTimeoutMs: 500, pingIntervalMs: 50, retry: { budgetMs: 250 } });
  const session = await openEpisode(client);
  client.attach({ environment: 'maze', sid: 's2' });

  await session.close();

  expect(server.to('/delete')).toHaveLength(4);
});

test.concurrent('gives up a deletion that never completes although the server responds to other requests', async () => {
  await using server = await startFakeServer({ '/delete': () => {} });
  const retry = { budgetMs: 50, firstDelayMs: 0 };
  await using client = createClient(server, { responseTimeoutMs: 500, pingIntervalMs: 20, retry });
  const session = await openEpisode(client);
  client.attach({ environment: 'maze', sid: 's2' });

  await expect(session.close()).rejects.toThrow('did not respond to deleteEpisode in 0.5 s (given up after');
});

test.concurrent('gives up the deletion on a server that does not respond', async () => {
  await using server = await startFakeServer({ '/delete': () => {} });
  await using client = createClient(server, { responseTimeoutMs: 500, retry: { budgetMs: 250 } });
  const session = await openEpisode(client);

  await expect(session.close()).rejects.toThrow('did not respond to deleteEpisode in 0.5 s');
});
