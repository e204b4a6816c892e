import type {
  AssembledResult,
  Block,
  JSONValue,
  MessagePayload,
  Orphans,
  StitchedMessage,
  StitchedToolCall,
  StitchedTrace,
  ToolCallPayload,
  Trace,
} from '../../../generated/trace.ts';
import {
  formatNumber,
  isJsonObject,
  isRecord,
  noun,
  oneLine,
  ownProperty,
  plural,
  stripControls,
} from '../../core/index.ts';
import type { ServerSentEvent } from '../../sse/index.ts';
import { readStitchedPages, type TraceApiRequester } from '../../trace/client/index.ts';
import { messageParts, outputParts, partsToText } from '../../trace/formats/index.ts';
import { CliError } from '../failure.ts';
import { formatRewardCell, formatTime, safeJson, type Terminal, wrapText } from '../terminal/terminal.ts';

/** Prints a trace as a tree, page by page. */
export async function showTrace(api: TraceApiRequester, id: string, terminal: Terminal): Promise<void> {
  let isFirst = true;
  for await (const { trace, messages, orphans } of readStitchedPages(api, id)) {
    if (isFirst) terminal.print(showHead(trace, terminal));
    isFirst = false;
    for (const message of messages) terminal.print(await showTurn(message, terminal));
    terminal.print(await showOrphans(orphans, terminal));
  }
}

/** Prints a trace as one JSON document, page by page. Source: trace.schema.json, StitchedTrace. */
export async function printTraceJson(api: TraceApiRequester, id: string, terminal: Terminal): Promise<void> {
  let last: StitchedTrace | undefined;
  for await (const page of readStitchedPages(api, id)) {
    if (!last) terminal.print(`{"trace":${safeJson(page.trace)},"messages":[`);
    const comma = last && last.messages.length > 0 ? ',' : '';
    terminal.print(page.messages.map((message, at) => `${at === 0 ? comma : ','}${safeJson(message)}`).join(''));
    last = page;
  }
  terminal.print(`],"orphans":${safeJson(last?.orphans)},"page":{"next_cursor":null}}\n`);
}

/** Describes where a trace continues another one, such as `tr_1 after call 3`; undefined if it does not. */
export function describeParent({ parent_trace_id, parent_calls }: Trace): string | undefined {
  if (parent_trace_id === undefined || parent_calls === undefined) return parent_trace_id;
  return parent_calls === 0 ? `${parent_trace_id} from its start` : `${parent_trace_id} after call ${parent_calls}`;
}

/** Formats a trace without its blocks. */
export function showHead(trace: Trace, terminal: Terminal): string {
  const { id, name, run, environment, split, task_index: task, step, model, tags } = trace;
  const continues = describeParent(trace) ?? null;
  const others = { continues, tags: tags.length === 0 ? null : tags.join(', ') };
  const fields = { environment, split, task, run, step, model, ...others };
  const named = Object.entries(fields).flatMap(([label, value]) => (value === null ? [] : [`${label} ${value}`]));
  const names = [...(name === null ? [] : [name]), ...named].map(oneLine).join('  ');
  const head = `${terminal.style('bold', id)}\n${names && `${names}\n`}`;
  return `${head}${terminal.style('dim', factsOf(trace))}\n`;
}

function factsOf({ status, reward_sum, block_count, error_count, created_at, finished_at }: Trace): string {
  return [
    status,
    `reward ${formatRewardCell(reward_sum)}`,
    plural(block_count, 'block'),
    plural(error_count, 'failed call'),
    `created ${formatTime(created_at)} UTC`,
    ...(finished_at === null ? [] : [`finished ${formatTime(finished_at)} UTC`]),
  ].join('  ');
}

async function showTurn(message: StitchedMessage, terminal: Terminal): Promise<string> {
  const { payload, extra, thinks, tool_calls, child_order } = message;
  const children = new Map<string, string>();
  for (const think of thinks) children.set(think.id, formatThought(think.payload.text, think.extra, terminal));
  for (const call of tool_calls) children.set(call.id, await showCallWithResult(call, terminal));
  const own = await formatMessage(payload, extra, terminal);
  return own + child_order.map((id) => children.get(id) ?? '').join('');
}

async function showCallWithResult(call: StitchedToolCall, terminal: Terminal): Promise<string> {
  return formatCall(call.payload, call.extra, terminal) + (await showResult(call, terminal));
}

async function showResult({ assembled, tool_results }: StitchedToolCall, terminal: Terminal): Promise<string> {
  if (!assembled || assembled.state === 'pending') return formatNote('no result yet', terminal);
  const notes = [...gapNotes(assembled), ...(assembled.state === 'partial' ? ['the last piece is missing'] : [])];
  const extras = tool_results.map(({ extra }) => extra);
  const value = await formatResultValue(assembled.value, extras, terminal);
  return value + notes.map((note) => formatNote(note, terminal)).join('');
}

const MAX_GAPS = 20;

function gapNotes({ gaps, more_gaps = 0 }: AssembledResult): string[] {
  if (gaps.length === 0) return [];
  const count = gaps.length + more_gaps;
  const shown = gaps.slice(0, MAX_GAPS).join(', ');
  const rest = count > MAX_GAPS ? ` and ${count - MAX_GAPS} more` : '';
  return [`${plural(count, 'piece')} ${noun(count, 'is', 'are')} missing: seq ${shown}${rest}`];
}

async function showOrphans({ tool_calls, tool_results, thinks }: Orphans, terminal: Terminal): Promise<string> {
  if (tool_calls.length + tool_results.length + thinks.length === 0) return '';
  const parts = [`\n${terminal.style('red', 'orphan blocks: their parent does not exist')}\n`];
  for (const { payload, extra } of thinks) parts.push(formatThought(payload.text, extra, terminal));
  for (const call of tool_calls) parts.push(await showCallWithResult(call, terminal));
  for (const { payload, extra } of tool_results) {
    parts.push(await formatResultValue(payload.output ?? payload.delta ?? null, [extra], terminal));
  }
  return parts.join('');
}

const IN_MESSAGE = '  ';
const IN_CALL = '    ';

/** Images are only mentioned, so their bytes do not matter. */
const NO_BYTES = { blob: async () => ({ media_type: 'stored', data: new Uint8Array() }) };

async function formatMessage(
  { role, content }: Pick<MessagePayload, 'role' | 'content'>,
  extra: JSONValue,
  terminal: Terminal,
): Promise<string> {
  const text = partsToText(await messageParts(content, NO_BYTES));
  const body = text === '' ? '' : `${indented(text, terminal, IN_MESSAGE)}\n`;
  return `\n${terminal.style('bold', oneLine(role))}\n${body}${extraLine(extra, terminal, IN_MESSAGE)}`;
}

const formatThought = (text: string, extra: JSONValue, terminal: Terminal): string =>
  `${dimmed(`thought: ${text}`, terminal, IN_MESSAGE)}${extraLine(extra, terminal, IN_MESSAGE)}`;

function formatCall(
  { name, arguments: input, call_id }: ToolCallPayload,
  extra: JSONValue,
  terminal: Terminal,
): string {
  const id = call_id === undefined ? '' : `  ${terminal.style('dim', oneLine(call_id))}`;
  const body = indented(safeJson(input), terminal, IN_CALL);
  return `${IN_MESSAGE}${terminal.style('cyan', oneLine(name))}${id}\n${body}\n${extraLine(extra, terminal, IN_CALL)}`;
}

/** Formats a tool result as the model saw it. Each piece of it may have its own `extra`. */
async function formatResultValue(value: JSONValue, extras: readonly JSONValue[], terminal: Terminal): Promise<string> {
  const isFailed =
    extras.some((extra) => ownProperty(extra, 'tool_error') === true) || (isRecord(value) && value.ok === false);
  const text = partsToText(await outputParts(value, NO_BYTES));
  const body = indented(`${isFailed ? 'failed: ' : '→ '}${text}`, terminal, IN_CALL);
  const facts = extras.map((extra) => extraLine(extra, terminal, IN_CALL)).join('');
  return `${isFailed ? styled('red', body, terminal) : body}\n${facts}`;
}

const formatNote = (text: string, terminal: Terminal): string =>
  `${styled('yellow', indented(text, terminal, IN_CALL), terminal)}\n`;

/** Formats `extra`, beginning with reward and `finished`. */
function extraLine(extra: JSONValue, terminal: Terminal, indent: string): string {
  if (extra === null) return '';
  if (!isJsonObject(extra)) return dimmed(`extra ${safeJson(extra)}`, terminal, indent);
  const { reward, finished, tool_error: _, ...others } = extra;
  const facts = [
    ...(typeof reward === 'number' ? [`reward ${formatNumber(reward, 12)}`] : []),
    ...(finished === true ? ['finished'] : []),
  ];
  const first = facts.length === 0 ? '' : `${indent}${terminal.style('yellow', facts.join(' · '))}\n`;
  return Object.keys(others).length === 0 ? first : `${first}${dimmed(`extra ${safeJson(others)}`, terminal, indent)}`;
}

const dimmed = (text: string, terminal: Terminal, indent: string): string =>
  `${styled('dim', indented(text, terminal, indent), terminal)}\n`;

/** Styles each line, because pagers reset the style at the end of a line. */
const styled = (style: Parameters<Terminal['style']>[0], text: string, terminal: Terminal): string =>
  text
    .split('\n')
    .map((line) => (line === '' ? '' : terminal.style(style, line)))
    .join('\n');

function indented(text: string, terminal: Terminal, indent: string): string {
  const width = terminal.isInteractive ? terminal.width : Number.POSITIVE_INFINITY;
  return wrapText(stripControls(text), width, indent);
}

/** Prints the blocks of a trace as they arrive, until it is no longer running. @throws CliError if it is deleted. */
export async function tailTrace(
  events: AsyncIterable<ServerSentEvent>,
  terminal: Terminal,
  asJson: boolean,
): Promise<void> {
  const print = (kind: 'block' | 'trace', value: object, text: string) =>
    terminal.print(asJson ? `${safeJson({ [kind]: value })}\n` : text);
  for await (const { event, data } of events) {
    // The store's events follow its specification.
    if (event === 'block') {
      const block = JSON.parse(data) as Block;
      print('block', block, asJson ? '' : await showBlock(block, terminal));
    } else if (event === 'trace') {
      const trace = JSON.parse(data) as Trace;
      print('trace', trace, trace.status === 'running' ? '' : `\n${showHead(trace, terminal)}`);
      if (trace.status !== 'running') return;
    } else if (event === 'deleted') throw new CliError('the trace was deleted');
  }
}

async function showBlock(block: Block, terminal: Terminal): Promise<string> {
  const { payload, extra } = block;
  if (block.sub_type === 'MESSAGE') return await formatMessage(block.payload, extra, terminal);
  if (block.sub_type === 'THINK') return formatThought(block.payload.text, extra, terminal);
  if (block.sub_type === 'TOOL_CALL') return formatCall(block.payload, extra, terminal);
  const { output, delta } = payload as { output?: JSONValue; delta?: JSONValue };
  return await formatResultValue(delta ?? output ?? null, [extra], terminal);
}
