import type { Block, Trace } from '../../../generated/trace.ts';
import type { ServerSentEvent } from '../../sse/index.ts';
import { CliError } from '../failure.ts';
import { safeJson } from '../terminal/safe-json.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { formatCall, formatMessage, formatResultValue, formatThought } from './show-block.ts';
import { showHead } from './show-trace.ts';

/** Prints the blocks of a trace as they come, until the run that it logs is over. @throws Failure if it is deleted. */
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
  const { output, delta } = payload as { output?: null; delta?: string };
  return await formatResultValue(delta ?? output ?? null, [extra], terminal);
}
