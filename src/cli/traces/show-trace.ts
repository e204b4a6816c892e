import type {
  AssembledResult,
  Orphans,
  StitchedMessage,
  StitchedToolCall,
  StitchedTrace,
  Trace,
} from '../../../generated/trace.ts';
import { noun, oneLine, plural } from '../../core/index.ts';
import { readStitchedPages, type TraceApiRequester } from '../../trace/client/index.ts';
import { safeJson } from '../terminal/safe-json.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { formatCall, formatMessage, formatNote, formatResultValue, formatThought } from './show-block.ts';
import { formatRewardCell, formatTime } from './trace-rows.ts';

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

/** Prints the same as one JSON document that is never whole in memory. Source: trace.schema.json, StitchedTrace. */
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

/** A trace without its blocks, in a few lines. */
export function showHead(trace: Trace, terminal: Terminal): string {
  const { id, name, run, environment, split, task_index, step, model, tags } = trace;
  const named = [
    ...(name === null ? [] : [name]),
    ...(environment === null ? [] : [`environment ${environment}`]),
    ...(split === null ? [] : [`split ${split}`]),
    ...(task_index === null ? [] : [`task ${task_index}`]),
    ...(run === null ? [] : [`run ${run}`]),
    ...(step === null ? [] : [`step ${step}`]),
    ...(model === null ? [] : [`model ${model}`]),
    ...(tags.length === 0 ? [] : [`tags ${tags.join(', ')}`]),
  ].map(oneLine);
  const lines = [
    terminal.style('bold', id),
    ...(named.length === 0 ? [] : [named.join('  ')]),
    terminal.style('dim', factsOf(trace)),
  ];
  return `${lines.join('\n')}\n`;
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
  const notes = [...gapNotes(assembled), ...(assembled.state === 'partial' ? ['its last piece is not there yet'] : [])];
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
  const parts = [`\n${terminal.style('red', 'blocks whose parent is not there')}\n`];
  for (const { payload, extra } of thinks) parts.push(formatThought(payload.text, extra, terminal));
  for (const call of tool_calls) parts.push(await showCallWithResult(call, terminal));
  for (const { payload, extra } of tool_results) {
    parts.push(await formatResultValue(payload.output ?? payload.delta ?? null, [extra], terminal));
  }
  return parts.join('');
}
