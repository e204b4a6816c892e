import type { ClientCheck } from '../check.ts';
import { eventText, findOrCreateCall, resultJson } from '../server/index.ts';
import type { ClientHarness } from '../stage.ts';
import { ensureText } from './expect.ts';

/** A call whose result comes in these pieces of JSON, the last of them in `end`. */
async function callInChunks(
  stage: ClientHarness,
  chunks: readonly string[],
  text: string,
  what: string,
): Promise<void> {
  stage.server.setHandler('call', async (request, reply) => {
    reply.stream();
    await reply.event('task_id', findOrCreateCall(stage.server.state, request).taskId);
    const [last = '', ...others] = chunks.toReversed();
    await reply.write(
      others
        .toReversed()
        .map((chunk) => eventText('chunk', chunk))
        .join('') + eventText('end', last),
    );
    reply.end();
  });
  await stage.open();

  ensureText(await stage.callEcho(), text, what);
}

const BLANKS = 'def f():\n    if x:\u00a0\u00a0y\u3000z \u2003 end';

export const clientChunkChecks: readonly ClientCheck[] = [
  {
    id: 'client/chunk/leading-blanks',
    title: "Keeps ASCII and Unicode white space at the start of a chunk's data",
    requirement: 'ORS-CLNT-001',
    // Every blank begins a chunk once.
    run: (stage) =>
      callInChunks(stage, resultJson(BLANKS).split(/(?=\s)/u), BLANKS, 'a result whose chunks begin with blanks'),
  },
  {
    id: 'client/chunk/joined',
    title: 'Joins the data of hundreds of chunks, cut anywhere in the JSON, before it parses it',
    requirement: 'ORS-CLNT-018',
    async run(stage) {
      const text = 'A-text-of-some-length,"quoted"\\and-escaped.'.repeat(60);
      await callInChunks(stage, resultJson(text).match(/.{1,7}/gsu) ?? [], text, 'a result in chunks of 7 characters');
    },
  },
  {
    id: 'client/chunk/cut-escape',
    title: 'Reads a character whose escapes are cut by the border of two chunks',
    requirement: 'ORS-CLNT-018',
    async run(stage) {
      const json = resultJson('a smile 😀 here').replace('😀', '\\ud83d\\ude00');
      const cut = json.indexOf('\\ude00') + 3;
      await callInChunks(
        stage,
        [json.slice(0, cut), json.slice(cut)],
        'a smile 😀 here',
        'a result cut within \\ude00',
      );
    },
  },
];
