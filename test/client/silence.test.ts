import { expect, test } from '@jest/globals';
import { episode, event, fake, hasty, inTurn, open, output, stream } from './fake-server.ts';

const FIRST = event('task_id', 't1');
const DONE = event('end', output('done'));

test('a silent stream is asked for anew, and silence costs nothing while the server is there', async () => {
  const silent = open(FIRST);
  await using server = await fake({ '/maze/call': inTurn(silent, silent, silent, silent, stream(FIRST, DONE)) });
  await using client = hasty(server, { stallTimeoutMs: 500, retry: { budgetMs: 1_500 } });
  const session = await episode(client);

  const result = await session.call('go');

  expect(result.text).toBe('done');
  expect(server.to('/maze/call')).toHaveLength(5);
});

test('a client that stood still reads what came meanwhile before it takes a stream for silent', async () => {
  await using server = await fake({
    '/maze/call': (response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(FIRST);
      setTimeout(() => {
        response.end(DONE);
        const until = performance.now() + 700;
        while (performance.now() < until);
      }, 100);
    },
  });
  await using client = hasty(server, { stallTimeoutMs: 500 });
  const session = await episode(client);

  const result = await session.call('go');

  expect(result.text).toBe('done');
  expect(server.to('/maze/call')).toHaveLength(1);
});

test('heartbeats keep a stream alive for as long as they come', async () => {
  await using server = await fake({
    '/maze/call': (response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(FIRST);
      let beats = 0;
      const timer = setInterval(() => {
        if (++beats < 12) return response.write(': ping\n\n');
        clearInterval(timer);
        return response.end(DONE);
      }, 100);
    },
  });
  await using client = hasty(server, { stallTimeoutMs: 1_000 });
  const session = await episode(client);

  const result = await session.call('go');

  expect(result.text).toBe('done');
  expect(server.to('/maze/call')).toHaveLength(1);
});

test('a call without a name is not repeated for being silent, since it would run twice', async () => {
  await using server = await fake({
    '/maze/call': (response) => void setTimeout(() => stream(FIRST, DONE)(response, {} as never, 1), 200),
  });
  await using client = hasty(server, { stallTimeoutMs: 30 });
  const session = await episode(client);

  const result = await session.call('go');

  expect(result.repeated).toBe(false);
  expect(server.to('/maze/call')).toHaveLength(1);
});

test('an answer that is JSON and comes slowly is not silence', async () => {
  await using server = await fake({
    '/maze/call': (response) => {
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
    },
  });
  await using client = hasty(server, { stallTimeoutMs: 1_000 });
  const session = await episode(client);

  expect((await session.call('go')).text).toBe('slow');
  expect(server.to('/maze/call')).toHaveLength(1);
});
