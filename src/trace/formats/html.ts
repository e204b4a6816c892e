import type { Score, ThinkBlock, Trace } from '../../../generated/trace.ts';
import {
  escapeMarkup,
  formatCount,
  formatDuration,
  formatNumber,
  oneLine,
  plural,
  stringifyJson,
  stripControls,
} from '../../core/index.ts';
import { blockThread, flatMapBatches, threadName, toBatchIterable } from '../model/index.ts';
import { type AssistantTurnEntry, type Conversation, readConversation } from './conversation.ts';
import {
  type ConversationMessage,
  callRewards,
  type DisplayPart,
  type ExportedCall,
  outputParts,
  readCalls,
  readMessage,
} from './conversation-parts.ts';
import type { DocumentFormat, TraceSource } from './format.ts';

/**
 * A web page for people who have no access to the store: the conversations with thoughts, calls, results, rewards and
 * scores, those of other agents than the main one closed. It has no scripts and requests nothing; images are part of it, and
 * images at other addresses are named.
 */
export const html: DocumentFormat = {
  extension: 'html',
  mediaType: 'text/html; charset=utf-8',
  begin: () => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>Traces</title>
<style>${STYLE}</style>
</head>
<body>
<main>
`,
  async *write(source) {
    const conversation = await readConversation(source);
    yield `<article>\n${headOf(source.trace, (await source.scores?.()) ?? [])}`;
    let thread: string | undefined;
    for await (const entries of toBatchIterable(conversation.read())) {
      for (const entry of entries) {
        const message = await readMessage(conversation, entry.message);
        // A turn without a message follows the one before it.
        const own = message.block ? blockThread(message.block) : thread;
        if (own !== thread && thread !== undefined) yield '</details>\n';
        if (own !== thread && own !== undefined) yield beginAgent(threadName(source.trace, own));
        thread = own;
        if (entry.kind === 'input') yield inputMessage(message);
        else yield* turn(conversation, entry, message);
      }
    }
    yield thread === undefined ? '</article>\n' : '</details>\n</article>\n';
  },
  end: () => '</main>\n</body>\n</html>\n',
};

const STYLE = `
:root{color-scheme:light dark;--line:light-dark(#d5d8de,#3a3f4a);--soft:light-dark(#f4f5f7,#20242b);--muted:light-dark(#5a6270,#a3abb8);--bad:light-dark(#b3261e,#ff8a80);--good:light-dark(#1b6e3c,#7bd69b)}
body{margin:0;background:light-dark(#fff,#16191f);color:light-dark(#1b1e24,#e6e8ec);font:15px/1.5 system-ui,sans-serif}
main{max-width:60rem;margin:0 auto;padding:1rem}
article{margin-bottom:3rem}
article+article{border-top:3px solid var(--line);padding-top:1rem}
h1{font-size:1.3rem;margin:0;overflow-wrap:anywhere}
h2{font-size:.9rem;margin:0;color:var(--muted);font-weight:600}
section{margin:.75rem 0;padding:.5rem .75rem;border:1px solid var(--line);border-radius:6px}
section.assistant{border-left:4px solid var(--line)}
pre{margin:.25rem 0;white-space:pre-wrap;overflow-wrap:anywhere;font:.9em/1.5 ui-monospace,monospace}
details{margin:.4rem 0;padding:.25rem .5rem;background:var(--soft);border-radius:4px}
details.agent{background:none;border:1px solid var(--line);border-radius:6px}
summary{cursor:pointer}
dl{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:.5rem 0}
dt{color:var(--muted);font-size:.85em}
dd{margin:0;overflow-wrap:anywhere}
img{max-width:100%}
.failed{color:var(--bad)}
.reward{color:var(--good);font-weight:600}
`;

/** Texts above this length are closed at first. */
const MAX_OPEN = 4_000;

const clean = (text: string): string => escapeMarkup(stripControls(text));

const word = (text: string): string => escapeMarkup(oneLine(text));

function headOf(trace: Trace, scores: readonly Score[]): string {
  const { id, name, run, environment, split, task_index, model, status, reward_sum, block_count, error_count } = trace;
  const { step, tags, created_at, finished_at, task_spec, metadata } = trace;
  const task = [environment, split, task_index === null ? null : `[${task_index}]`].filter((part) => part !== null);
  const duration = finished_at === null ? null : formatDuration(Date.parse(finished_at) - Date.parse(created_at));
  const facts: Readonly<Record<string, string | null>> = {
    Trace: name === null ? null : id,
    Run: run,
    Step: step === null ? null : String(step),
    Task: task.join(' ') || null,
    Model: model,
    Status: status,
    Reward: reward_sum === null ? null : formatNumber(reward_sum, 12),
    Blocks: formatCount(block_count),
    Failures: error_count === 0 ? null : formatCount(error_count),
    Tags: tags.join(', ') || null,
    Created: created_at,
    Duration: duration,
    Scores: scores.map(scoreText).join('; ') || null,
  };
  const items = Object.entries(facts).flatMap(([label, value]) =>
    value === null ? [] : [`<div><dt>${label}</dt><dd>${word(value)}</dd></div>`],
  );
  const { tools: _, ...own } = metadata;
  const details = [
    task_spec === null ? '' : folded('Task', stringifyJson(task_spec)),
    Object.keys(own).length === 0 ? '' : folded('Metadata', stringifyJson(own)),
  ];
  return `<header><h1>${word(name ?? id)}</h1><dl>${items.join('')}</dl>${details.join('')}</header>\n`;
}

function scoreText({ name, value, label, comment, author, block_id }: Score): string {
  const parts = [value, label, comment === null ? null : `“${comment}”`].filter((part) => part !== null);
  const of = block_id === null ? '' : ` (${block_id})`;
  return `${name}${of}: ${parts.join(' ')}${author === null ? '' : ` by ${author}`}`;
}

const beginAgent = (name: string): string => `<details class="agent"><summary>${word(name)}</summary>\n`;

function inputMessage({ role, pieces }: ConversationMessage): string {
  return `<section><h2>${word(role)}</h2>${pieces.map(showPart).join('')}</section>\n`;
}

async function* turn(
  conversation: Conversation,
  { thinks, calls }: AssistantTurnEntry,
  { pieces }: ConversationMessage,
): AsyncGenerator<string> {
  yield '<section class="assistant"><h2>assistant</h2>';
  const thoughts = flatMapBatches(conversation.reader.read(thinks), ({ block }) => [
    (block as ThinkBlock).payload.text,
  ]);
  for await (const texts of toBatchIterable(thoughts)) for (const text of texts) yield folded('Thought', text);
  yield pieces.map(showPart).join('');
  for await (const each of toBatchIterable(readCalls(conversation, calls))) {
    for (const call of each) yield await showCall(call, conversation);
  }
  yield '</section>\n';
}

async function showCall({ block, results }: ExportedCall, source: Pick<TraceSource, 'blob'>): Promise<string> {
  const { name, arguments: args } = block.payload;
  const reward = (results ? callRewards(results) : []).map(
    (value) => ` <span class="reward">${formatNumber(value, 12)}</span>`,
  );
  const failed = results?.isFailed ? ' <span class="failed">failed</span>' : '';
  const output = results ? (await outputParts(results.value, source)).map(showPart).join('') : '<p>(no result)</p>';
  const input = stringifyJson(args);
  return `<details open><summary><code>${word(name)}</code>${failed}${reward.join('')}</summary>
${input === '{}' ? '' : showText(input)}<h2>Result</h2>${output}</details>
`;
}

const folded = (label: string, text: string): string =>
  `<details><summary>${label}</summary><pre>${clean(text)}</pre></details>`;

const showText = (text: string): string =>
  text.length <= MAX_OPEN ? `<pre>${clean(text)}</pre>` : folded(plural(text.length, 'character'), text);

/** Images that browsers show, and that cannot contain scripts. */
const IMAGE = /^data:image\/(?:png|jpeg|gif|webp);base64,[\w+/=]*$/;

function showPart(part: DisplayPart): string {
  if (part.kind === 'text') return showText(part.text);
  if (IMAGE.test(part.url)) return `<p><img alt="image of the trace" src="${part.url}"></p>`;
  return `<p>[image: ${word(part.url.slice(0, 200))}]</p>`;
}
