import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { httpRequest } from '../../bench/load/connection.ts';
import { type HttpResponse, HttpResponseParser } from '../../bench/load/response-parser.ts';
import { untilMetric } from '../support/metric.ts';
import { type Load, loadOn, taskIdOf, textOf } from './load.ts';
import { type MeasuredServer, startMeasured } from './measured-server.ts';
import type { Weight } from './messages.ts';
import { mib, note } from './note.ts';

const MIB = 2 ** 20;
const LETTERS = 64 * MIB;
/** Number of calls of other players meanwhile: enough time for a growing buffer to become visible. */
const PINGS = 2_000;

const held = ({ heap, external }: Weight) => heap + external;

interface StalledReader extends Disposable {
  /** Resolves when it has stopped reading. */
  readonly stopped: Promise<void>;
  /** Reads on to the end of the answer. */
  readonly readOn: () => Promise<HttpResponse>;
}

/** A client that sends a request, reads this many bytes of the response, and pauses until `resume()`. */
function stalledReader(port: number, request: string, bytes: number): StalledReader {
  const parser = new HttpResponseParser();
  const socket = connect(port, '127.0.0.1').pause();
  let stopAt = bytes;
  let received = 0;
  let reply: HttpResponse | undefined;
  const stopped = new Promise<void>((resolve) => {
    if (bytes === 0) resolve();
    socket.on('data', (some) => {
      received += some.length;
      reply ??= parser.feed(some, some.length);
      if (reply) socket.end();
      if (received < stopAt) return;
      socket.pause();
      resolve();
    });
  });
  if (bytes > 0) socket.resume();
  socket.write(request);
  return {
    stopped,
    async readOn() {
      stopAt = Infinity;
      socket.resume();
      await once(socket, 'close');
      if (reply) return reply;
      throw new Error('the server closed the connection before its answer was whole');
    },
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

/** A stalled reader from its request to its last byte, and what the process held before, meanwhile and afterwards. */
async function stall(server: MeasuredServer, load: Load, sid: string, body: object, bytes: number) {
  const request = httpRequest('POST', '/soak/call', sid, body);
  const before = await server.weigh();
  using reader = stalledReader(Number(new URL(server.url).port), request, bytes);
  await reader.stopped;
  await untilMetric(server, 'ors_streams_stalled', 1);
  await load.each(Array.from({ length: PINGS }), () => load.ping(sid));
  const during = await server.weigh();
  const reply = await reader.readOn();
  await untilMetric(server, 'ors_streams_open', 0);
  return { before, during, after: await server.weigh(), reply };
}

test.each([
  ['takes nothing', 'inline', 0],
  ['takes nothing', 'worker', 0],
  ['stops half-way', 'inline', LETTERS / 2],
  ['stops half-way', 'worker', LETTERS / 2],
] as const)(
  '64 MiB for a reader that %s, %s: heap and buffers grow by less than 1 MiB in addition to the retained result',
  async (how, isolation, bytes) => {
    // The result must not go away in between, nor the reader be cut off.
    const settings = { lingerMs: 3_600_000, lingerBytes: 2 ** 30, stalledReaderMs: 3_600_000, heartbeatMs: 20 };
    await using server = await startMeasured({ isolation, settings });
    await using load = await loadOn(server.url);
    const sid = await load.open(0);
    const empty = await server.weigh();
    const call = { name: 'big', input: { letters: LETTERS } };
    const first = await load.call(sid, call.name, call.input);
    const lingering = await server.weigh();

    const again = { ...call, task_id: taskIdOf(first) };
    // The first one also brings what the process needs once: compileServer code, and room for the sockets.
    await stall(server, load, sid, again, bytes);
    const { before, during, after, reply } = await stall(server, load, sid, again, bytes);

    note(
      `64 MiB to a reader that ${how}, ${isolation}: the result ${mib(held(lingering) - held(empty))}, the reader ` +
        `${mib(held(during) - held(before))} (heap ${mib(during.heap - before.heap)}, outside it ` +
        `${mib(during.external - before.external)}), afterwards ${mib(held(after) - held(before))}; ` +
        `rss ${mib(before.rss)}, with the reader ${mib(during.rss)}`,
    );
    expect(held(during) - held(before)).toBeLessThan(MIB);
    expect(textOf(reply) === 'x'.repeat(LETTERS)).toBe(true);
  },
);
