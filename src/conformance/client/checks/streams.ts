import { assertConforms } from '../../assertions.ts';
import type { ClientCheck, ClientHarness } from '../harness.ts';
import { describeOutcome, ensureError, ensureText } from '../outcome.ts';
import { eventText } from '../server/exchange.ts';
import { findOrCreateCall, resultJson } from '../server/healthy.ts';

/** A valid serialization of the events of a call. */
interface WireFormat {
  readonly name: string;
  readonly title: string;
  /** Text of the result. @default 'plain text' */
  readonly text?: string;
  /** Returns the complete stream, in chunks that arrive separately. */
  readonly packets: (taskId: string, json: string) => readonly (string | Uint8Array)[];
}

const NOT_ASCII = 'snow ☃, smile 😀, é';
const REFUSAL = '{"ok":false,"error":"This is not the result."}';
const taskIdEvent = (taskId: string) => eventText('task_id', taskId);

/** Splits text into runs of printable ASCII and single bytes of all other characters. */
function splitIntoPackets(text: string): Uint8Array[] {
  const packets: Uint8Array[] = [];
  for (const part of text.split(/([^\x20-\x7e\n]+)/)) {
    const bytes = Buffer.from(part);
    if (/^[\x20-\x7e\n]*$/.test(part)) packets.push(bytes);
    else for (const byte of bytes) packets.push(Buffer.of(byte));
  }
  return packets.filter((packet) => packet.length > 0);
}

const wireFormats: readonly WireFormat[] = [
  {
    name: 'cr-lf',
    title: 'Reads a stream whose lines end in CR LF',
    packets: (taskId, json) => [(taskIdEvent(taskId) + eventText('end', json)).replaceAll('\n', '\r\n')],
  },
  {
    name: 'cr',
    title: 'Reads a stream whose lines end in CR only',
    packets: (taskId, json) => [(taskIdEvent(taskId) + eventText('end', json)).replaceAll('\n', '\r')],
  },
  {
    name: 'cr-lf-cut',
    title: 'Reads CR and LF in two packets as one line end',
    packets: (taskId, json) => (taskIdEvent(taskId) + eventText('end', json)).replaceAll('\n', '\r\n').split(/(?<=\r)/),
  },
  {
    name: 'utf-8-cut',
    title: 'Reads characters whose bytes arrive one by one',
    text: NOT_ASCII,
    packets: (taskId, json) => splitIntoPackets(taskIdEvent(taskId) + eventText('end', json)),
  },
  {
    name: 'comments',
    title: 'Ignores comments between and within events',
    packets: (taskId, json) => [
      `: hello\n\n${taskIdEvent(taskId)}`,
      ': ping\n\n',
      `:\nevent: end\n: within\ndata: ${json}\n:data: ${REFUSAL}\n\n`,
    ],
  },
  {
    name: 'other-fields',
    title: 'Ignores id, retry and unknown fields',
    packets: (taskId, json) => [
      `id: 1\nretry: 5000\n${taskIdEvent(taskId)}`,
      `id: 2\nevent: end\nsomething: else\ndata: ${json}\nretry: soon\n\n`,
    ],
  },
  {
    name: 'no-colon',
    title: 'Reads a line without colon as a field without value',
    packets: (taskId, json) => [taskIdEvent(taskId), `retry\nevent: end\nid\ndata: ${json}\n\n`],
  },
  {
    name: 'no-space',
    title: 'Reads fields without a space after the colon',
    packets: (taskId, json) => [`event:task_id\ndata:${taskId}\n\n`, `event:end\ndata:${json}\n\n`],
  },
  {
    name: 'data-before-event',
    title: 'Reads an event whose data comes before its name',
    packets: (taskId, json) => [`data: ${taskId}\nevent: task_id\n\n`, `data: ${json}\nevent: end\n\n`],
  },
  {
    name: 'data-lines',
    title: 'Joins the data lines of an event',
    packets: (taskId, json) => [
      taskIdEvent(taskId),
      `event: end\n${JSON.stringify(JSON.parse(json), undefined, 2).replace(/^/gm, 'data: ')}\n\n`,
    ],
  },
  {
    name: 'unknown-event',
    title: 'Ignores events with other names',
    packets: (taskId, json) => [taskIdEvent(taskId), eventText('progress', REFUSAL), eventText('end', json)],
  },
  {
    name: 'unnamed-event',
    title: 'Ignores events without a name',
    packets: (taskId, json) => [taskIdEvent(taskId), `data: ${REFUSAL}\n\n`, eventText('end', json)],
  },
  {
    name: 'separators',
    title: 'Reads U+2028, U+2029 and U+0085 in data as characters, not as line ends',
    text: 'one\u2028two\u2029three\u0085four',
    packets: (taskId, json) => [taskIdEvent(taskId), eventText('end', json)],
  },
  {
    name: 'long-line',
    title: 'Reads a data line of 140,000 characters',
    text: 'abcdefghi '.repeat(14_000),
    packets: (taskId, json) => [taskIdEvent(taskId), eventText('end', json)],
  },
];

const wireFormatCheck = ({ name, title, text = 'plain text', packets }: WireFormat): ClientCheck => ({
  id: `client/stream/${name}`,
  title,
  requirement: 'ORS-CLNT-005',
  async run(harness) {
    harness.server.setHandler('call', async (request, reply) => {
      reply.stream();
      await reply.writeSpaced(packets(findOrCreateCall(harness.server.state, request).taskId, resultJson(text)));
      reply.end();
    });
    await harness.open();

    ensureText(await harness.callEcho(), text, 'the call');
  },
});

/** Breaks the stream after its first event, which a client that mishandles the byte-order mark has not read. */
const byteOrderMark: ClientCheck = {
  id: 'client/stream/bom',
  title: 'Reads the first event of a stream that begins with a byte-order mark',
  requirement: 'ORS-CLNT-005',
  async run(harness) {
    const { server } = harness;
    server.setHandler('call', async (request, reply) => {
      const call = findOrCreateCall(server.state, request);
      reply.stream();
      await reply.write(`\ufeff${taskIdEvent(call.taskId)}`);
      if (server.requestsOf('call').length === 1) return await reply.breakConnection();
      await reply.event('end', resultJson('after the mark'));
      reply.end();
    });
    await harness.open();

    const outcome = await harness.callEcho();

    const [first] = server.state.calls.keys();
    const again = server.requestsOf('call')[1];
    assertConforms(
      again,
      `a stream that broke after its first event, which began with U+FEFF: the call ${describeOutcome(outcome)}`,
    );
    assertConforms(again.json.task_id === first, 'the first event of a stream that began with U+FEFF was not read');
  },
};

const errorLines: ClientCheck = {
  id: 'client/stream/error-lines',
  title: 'Joins the data lines of an error with line feeds',
  requirement: 'ORS-CLNT-005',
  async run(harness) {
    harness.server.setHandler('call', async (request, reply) => {
      reply.stream();
      await reply.event('task_id', findOrCreateCall(harness.server.state, request).taskId);
      await reply.write('event: error\ndata: first line\ndata: \ndata: third line\n\n');
      reply.end();
    });
    await harness.open();

    const { message } = ensureError(
      await harness.callEcho(),
      'the call that was answered with an error of three lines',
    );

    const text = 'first line\n\nthird line';
    assertConforms(
      message.includes(text),
      `for the error ${JSON.stringify(text)} the client reported ${JSON.stringify(message)}`,
    );
  },
};

export const streamChecks: readonly ClientCheck[] = [byteOrderMark, ...wireFormats.map(wireFormatCheck), errorLines];

/** Makes a call whose result arrives in these parts, the last of them in `end`. */
async function callInChunks(
  harness: ClientHarness,
  chunks: readonly string[],
  text: string,
  what: string,
): Promise<void> {
  harness.server.setHandler('call', async (request, reply) => {
    reply.stream();
    await reply.event('task_id', findOrCreateCall(harness.server.state, request).taskId);
    const [last = '', ...others] = chunks.toReversed();
    await reply.write(
      others
        .toReversed()
        .map((chunk) => eventText('chunk', chunk))
        .join('') + eventText('end', last),
    );
    reply.end();
  });
  await harness.open();

  ensureText(await harness.callEcho(), text, what);
}

const BLANKS = 'def f():\n    if x:\u00a0\u00a0y\u3000z \u2003 end';

export const clientChunkChecks: readonly ClientCheck[] = [
  {
    id: 'client/chunk/leading-blanks',
    title: "Keeps ASCII and Unicode white space at the start of a chunk's data",
    requirement: 'ORS-CLNT-001',
    // Starts a chunk at every blank.
    run: (harness) =>
      callInChunks(harness, resultJson(BLANKS).split(/(?=\s)/u), BLANKS, 'a result whose chunks begin with blanks'),
  },
  {
    id: 'client/chunk/joined',
    title: 'Joins the data of hundreds of chunks, split anywhere in the JSON, before it parses it',
    requirement: 'ORS-CLNT-018',
    async run(harness) {
      const text = 'A-text-of-some-length,"quoted"\\and-escaped.'.repeat(60);
      await callInChunks(
        harness,
        resultJson(text).match(/.{1,7}/gsu) ?? [],
        text,
        'a result in chunks of 7 characters',
      );
    },
  },
  {
    id: 'client/chunk/cut-escape',
    title: 'Reads a character whose escape sequence is split between two chunks',
    requirement: 'ORS-CLNT-018',
    async run(harness) {
      const json = resultJson('a smile 😀 here').replace('😀', '\\ud83d\\ude00');
      const cut = json.indexOf('\\ude00') + 3;
      await callInChunks(
        harness,
        [json.slice(0, cut), json.slice(cut)],
        'a smile 😀 here',
        'a result cut within \\ude00',
      );
    },
  },
];
