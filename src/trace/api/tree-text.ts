import type { ToolResultBlock } from '../../../generated/trace.ts';
import { assemble, type TreeOf } from '../model/index.ts';
import type { BlockText } from '../store/index.ts';

type Tree = TreeOf<BlockText>;
type Call = Tree['orphans']['tool_calls'][number];

/**
 * The members `messages` and `orphans` of a stitched trace as JSON text, put together out of the texts of its blocks:
 * parsing them to write them again takes longer. Each is appended to one text, which is copied once in the end.
 *
 * @param isAssembled whether each call has its results `assembled`.
 */
export function treeText({ messages, orphans }: Tree, isAssembled: boolean): string {
  const { tool_calls, tool_results, thinks } = orphans;
  let text = '"messages":[';
  for (const [index, message] of messages.entries()) {
    text += `${index > 0 ? ',{' : '{'}${message.members},"thinks":[`;
    text += listText(message.thinks);
    text += '],"tool_calls":[';
    text += callsText(message.tool_calls, isAssembled);
    text += `],"child_order":${JSON.stringify(message.child_order)}}`;
  }
  text += '],"orphans":{"tool_calls":[';
  text += callsText(tool_calls, isAssembled);
  text += '],"tool_results":[';
  text += listText(tool_results);
  text += '],"thinks":[';
  text += listText(thinks);
  return `${text}]}`;
}

function callsText(calls: readonly Call[], isAssembled: boolean): string {
  let text = '';
  for (const [index, { members, tool_results }] of calls.entries()) {
    text += `${index > 0 ? ',{' : '{'}${members},"tool_results":[`;
    text += listText(tool_results);
    text += isAssembled ? `],"assembled":${assembledText(tool_results)}}` : ']}';
  }
  return text;
}

/** Under a call stand results alone. */
const assembledText = (results: readonly BlockText[]): string =>
  JSON.stringify(assemble(results.map(({ members }) => JSON.parse(`{${members}}`) as ToolResultBlock)));

function listText(blocks: readonly BlockText[]): string {
  let text = '';
  for (const [index, { members }] of blocks.entries()) text += `${index > 0 ? ',{' : '{'}${members}}`;
  return text;
}
