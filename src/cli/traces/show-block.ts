import type { JSONObject, JSONValue, MessagePayload, ToolCallPayload } from '../../../generated/trace.ts';
import { formatNumber, isRecord, oneLine, stripControls } from '../../core/index.ts';
import { messageParts, outputParts, partsToText } from '../../trace/formats/index.ts';
import { safeJson } from '../terminal/safe-json.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { wrapText } from '../terminal/wrap.ts';

/** Blocks as people read them: texts cleaned, wrapped on a terminal, whole in any case. */

const IN_MESSAGE = '  ';
const IN_CALL = '    ';

/** An image is only told of, so its bytes do not matter. */
const NO_BYTES = { blob: async () => ({ media_type: 'stored', data: new Uint8Array() }) };

export async function formatMessage(
  { role, content }: Pick<MessagePayload, 'role' | 'content'>,
  extra: JSONObject | null,
  terminal: Terminal,
): Promise<string> {
  const text = partsToText(await messageParts(content, NO_BYTES));
  const body = text === '' ? '' : `${indented(text, terminal, IN_MESSAGE)}\n`;
  return `\n${terminal.style('bold', oneLine(role))}\n${body}${extraLine(extra, terminal, IN_MESSAGE)}`;
}

export const formatThought = (text: string, extra: JSONObject | null, terminal: Terminal): string =>
  `${dimmed(`thought: ${text}`, terminal, IN_MESSAGE)}${extraLine(extra, terminal, IN_MESSAGE)}`;

export function formatCall(
  { name, arguments: given, call_id }: ToolCallPayload,
  extra: JSONObject | null,
  terminal: Terminal,
): string {
  const id = call_id === undefined ? '' : `  ${terminal.style('dim', oneLine(call_id))}`;
  const body = indented(safeJson(given), terminal, IN_CALL);
  return `${IN_MESSAGE}${terminal.style('cyan', oneLine(name))}${id}\n${body}\n${extraLine(extra, terminal, IN_CALL)}`;
}

/** What a tool gave, as a model saw it; a failure is told to be one. Each piece of it may have its own `extra`. */
export async function formatResultValue(
  value: JSONValue,
  extras: readonly (JSONObject | null)[],
  terminal: Terminal,
): Promise<string> {
  const isFailed = extras.some((extra) => extra?.tool_error === true) || (isRecord(value) && value.ok === false);
  const text = partsToText(await outputParts(value, NO_BYTES));
  const body = indented(`${isFailed ? 'failed: ' : '→ '}${text}`, terminal, IN_CALL);
  const facts = extras.map((extra) => extraLine(extra, terminal, IN_CALL)).join('');
  return `${isFailed ? styled('red', body, terminal) : body}\n${facts}`;
}

export const formatNote = (text: string, terminal: Terminal): string =>
  `${styled('yellow', indented(text, terminal, IN_CALL), terminal)}\n`;

/** What is wanted of `extra` at a glance comes first. */
function extraLine(extra: JSONObject | null, terminal: Terminal, indent: string): string {
  if (extra === null) return '';
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

/** Line by line: pagers begin each line without a style. */
const styled = (style: Parameters<Terminal['style']>[0], text: string, terminal: Terminal): string =>
  text
    .split('\n')
    .map((line) => (line === '' ? '' : terminal.style(style, line)))
    .join('\n');

function indented(text: string, terminal: Terminal, indent: string): string {
  const width = terminal.isInteractive ? terminal.width : Number.POSITIVE_INFINITY;
  return wrapText(stripControls(text), width, indent);
}
