import type { StitchedMessage, StitchedTrace, Trace } from '../../../generated/trace.ts';
import { isRecord } from '../../core/index.ts';
import { type Block, type JSONObject, type ToolSpec, text } from '../../protocol/index.ts';
import { messageParts } from '../../trace/formats/index.ts';
import { describeMissing, partsToBlocks, toOrsBlock } from './recorded-blocks.ts';
import { type RecordedCall, toRecordedCall } from './recorded-call.ts';

/** What is read of a trace: one that `readWhole` of `ors-kit/trace` gave, or `readRecordedTraces`. */
export interface RecordedTrace extends Pick<StitchedTrace, 'messages'> {
  readonly trace: Pick<Trace, 'id' | 'environment' | 'split' | 'task_index' | 'task_spec' | 'metadata'>;
}

/** An episode as it was recorded. */
export interface RecordedEpisode {
  readonly id: string;
  readonly environment: string | null;
  readonly split: string | null;
  readonly index: number | null;
  readonly task: JSONObject | null;
  readonly prompt: readonly Block[];
  /** Undefined where they were not recorded. */
  readonly tools: readonly ToolSpec[] | undefined;
  /** In the order in which they were made. */
  readonly calls: readonly RecordedCall[];
}

/** @throws Error that names what of the trace is missing. */
export async function toRecordedEpisode({ trace, messages }: RecordedTrace): Promise<RecordedEpisode> {
  const { id, environment, split, task_index: index, task_spec: task, metadata } = trace;
  const calls = messages.flatMap(({ tool_calls, child_order }) => {
    const byId = new Map(tool_calls.map((call) => [call.id, call]));
    return child_order.flatMap((child) => byId.get(child) ?? []);
  });
  // Before it there are at most messages of the system.
  const prompt = messages.find(({ payload }) => payload.role === 'user');
  if (!prompt && calls.length === 0) {
    throw new Error(`${id}: neither a prompt nor a call was recorded, so there is nothing to replay`);
  }
  return {
    id,
    environment,
    split,
    index,
    task,
    prompt: prompt ? await blocksOf(prompt, id) : [text('(The prompt of this episode was not recorded.)')],
    tools: toolsOf(metadata.tools),
    calls: await Promise.all(calls.map((call) => toRecordedCall(call, id))),
  };
}

async function blocksOf({ payload: { content } }: StitchedMessage, id: string): Promise<readonly Block[]> {
  if (typeof content === 'string') return [text(content)];
  const blob = async (sha256: string): Promise<never> => {
    throw new Error(describeMissing(id, `an image of the prompt (${sha256})`));
  };
  const parts = content.map(async (part) => {
    if (part.type === 'text_ref') throw new Error(describeMissing(id, 'a text of the prompt'));
    return toOrsBlock(part) ?? partsToBlocks(await messageParts([part], { blob }));
  });
  return (await Promise.all(parts)).flat();
}

function toolsOf(tools: unknown): ToolSpec[] | undefined {
  if (!Array.isArray(tools)) return undefined;
  return tools.flatMap((tool: unknown) => {
    if (!isRecord(tool) || typeof tool.name !== 'string') return [];
    const { name, description, input_schema } = tool;
    return [
      {
        name,
        description: typeof description === 'string' ? description : '',
        // What is in a trace is JSON.
        input_schema: isRecord(input_schema) ? (input_schema as JSONObject) : null,
      },
    ];
  });
}
