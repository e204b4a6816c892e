import type { ToolResultBlock } from '../../../generated/trace.ts';
import { assemble, type TreeOf } from '../model/index.ts';
import type { BlockText } from '../store/index.ts';

type Tree = TreeOf<BlockText>;
type Call = Tree['orphans']['tool_calls'][number];

/**
 * The members `messages` and `orphans` of a stitched trace as JSON text, message by message, put together out of the texts
 * of its blocks: parsing them to write them again takes longer.
 *
 * @param isAssembled whether each call has its results `assembled`.
 */
export function* treePieces({ messages, orphans }: Tree, isAssembled: boolean): Generator<string> {
  const { tool_calls, tool_results, thinks } = orphans;
  yield '"messages":[';
  for (const [index, message] of messages.entries()) {
    let text = `${index > 0 ? ',{' : '{'}${message.members},"thinks":[`;
    text += listText(message.thinks);
    text += '],"tool_calls":[';
    text += callsText(message.tool_calls, isAssembled);
    yield `${text}],"child_order":${JSON.stringify(message.child_order)}}`;
  }
  let text = '],"orphans":{"tool_calls":[';
  text += callsText(tool_calls, isAssembled);
  text += '],"tool_results":[';
  text += listText(tool_results);
  text += '],"thinks":[';
  text += listText(thinks);
  yield `${text}]}`;
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
