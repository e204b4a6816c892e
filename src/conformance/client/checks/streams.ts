import { assertConforms } from '../../assertions.ts';
import type { ClientCheck, ClientHarness } from '../harness.ts';
import { describeOutcome, ensureError, ensureText } from '../outcome.ts';
import { eventText } from '../server/exchange.ts';
import { resultJson, taskIdOf } from '../server/healthy.ts';

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

const plainStream = (taskId: string, json: string) => taskIdEvent(taskId) + eventText('end', json);

const wireFormats: readonly WireFormat[] = [
  {
    name: 'cr-lf',
    title: 'Reads a stream whose lines end in CR LF',
    packets: (taskId, json) => [plainStream(taskId, json).replaceAll('\n', '\r\n')],
  },
  {
    name: 'cr',
    title: 'Reads a stream whose lines end in CR only',
    packets: (taskId, json) => [plainStream(taskId, json).replaceAll('\n', '\r')],
  },
  {
    name: 'cr-lf-cut',
    title: 'Reads CR and LF in two packets as one line end',
    packets: (taskId, json) =>
      plainStream(taskId, json)
        .replaceAll('\n', '\r\n')
        .split(/(?<=\r)/),
  },
  {
    name: 'utf-8-cut',
    title: 'Reads characters whose bytes arrive one by one',
    text: NOT_ASCII,
    packets: (taskId, json) => splitIntoPackets(plainStream(taskId, json)),
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
      await reply.writeSpaced(packets(taskIdOf(harness.server.state, request), resultJson(text)));
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
      reply.stream();
      await reply.write(`\ufeff${taskIdEvent(taskIdOf(server.state, request))}`);
      if (server.requestsOf('call').length === 1) return await reply.breakConnection();
      await reply.endWith('end', resultJson('after the mark'));
    });
    await harness.open();

    const outcome = await harness.callEcho();

    const [first] = server.state.taskIds;
    const again = server.requestsOf('call')[1];
    const what = 'a stream that broke after its first event, which began with U+FEFF';
    assertConforms(again, `${what}: the call ${describeOutcome(outcome)}`);
    assertConforms(again.json.task_id === first, 'the first event of a stream that began with U+FEFF was not read');
  },
};

const errorLines: ClientCheck = {
  id: 'client/stream/error-lines',
  title: 'Joins the data lines of an error with line feeds',
  requirement: 'ORS-CLNT-005',
  async run(harness) {
    harness.onCall(async (reply) => {
      await reply.write('event: error\ndata: first line\ndata: \ndata: third line\n\n');
      reply.end();
    });
    await harness.open();

    const { message } = ensureError(await harness.callEcho(), 'the call that ended with an error of three lines');

    const text = 'first line\n\nthird line';
    const reported = `for the error ${JSON.stringify(text)} the client reported ${JSON.stringify(message)}`;
    assertConforms(message.includes(text), reported);
  },
};

export const streamChecks: readonly ClientCheck[] = [byteOrderMark, ...wireFormats.map(wireFormatCheck), errorLines];

/** Makes a call whose result arrives in these parts, the last of them in `end`. */
async function callInChunks(harness: ClientHarness, chunks: readonly string[], text: string, what: string) {
  harness.onCall(async (reply) => {
    const events = chunks.map((chunk, index) => eventText(index < chunks.length - 1 ? 'chunk' : 'end', chunk));
    await reply.write(events.join(''));
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
      const chunks = resultJson(text).match(/.{1,7}/gsu) ?? [];
      await callInChunks(harness, chunks, text, 'a result in chunks of 7 characters');
    },
  },
  {
    id: 'client/chunk/cut-escape',
    title: 'Reads a character whose escape sequence is split between two chunks',
    requirement: 'ORS-CLNT-018',
    async run(harness) {
      const text = 'a smile 😀 here';
      const json = resultJson(text).replace('😀', '\\ud83d\\ude00');
      const cut = json.indexOf('\\ude00') + 3;
      await callInChunks(harness, [json.slice(0, cut), json.slice(cut)], text, 'a result cut within \\ude00');
    },
  },
];
