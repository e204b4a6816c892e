import { sum } from '../../../core/index.ts';
import type { Block, ImageBlock, JSONObject, ToolSpec } from '../../../protocol/index.ts';
import { joinText } from '../../../protocol/index.ts';
import type { PlaygroundTask } from './episode.ts';
import type { PlaygroundCallOutcome } from './outcome.ts';

interface DemonstrationInput extends PlaygroundTask {
  readonly prompt: readonly Block[];
  readonly tools: readonly ToolSpec[];
  readonly calls: readonly {
    readonly tool: string;
    readonly input: JSONObject;
    readonly outcome?: PlaygroundCallOutcome;
  }[];
}

/** An episode that a person has played, as a conversation in the form of OpenAI's chat completions. */
export function toDemonstration({ environment, split, index, prompt, tools, calls }: DemonstrationInput) {
  const played = calls.filter(({ outcome }) => outcome !== undefined);
  return {
    messages: [
      { role: 'user', content: contentOf(prompt) },
      ...played.flatMap(({ tool, input, outcome }, at) => turn(`call_${at + 1}`, tool, input, outcome)),
    ],
    tools: tools.map(({ name, description, input_schema }) => ({
      type: 'function',
      function: { name, description, parameters: input_schema ?? { type: 'object', properties: {} } },
    })),
    metadata: { environment, split, index, reward_sum: rewardSum(played) },
  };
}

/** What the calls have won; null where no call gave a reward, which is not 0. */
export function rewardSum(calls: readonly { readonly outcome?: PlaygroundCallOutcome }[]): number | null {
  const rewards = calls.flatMap(({ outcome }) =>
    outcome?.kind === 'output' ? [outcome.output.reward ?? []].flat() : [],
  );
  return rewards.length === 0 ? null : sum(rewards);
}

function turn(id: string, name: string, input: JSONObject, outcome: PlaygroundCallOutcome | undefined) {
  const blocks = outcome?.kind === 'output' ? outcome.output.blocks : [];
  const text = outcome?.kind === 'output' ? joinText(blocks) : JSON.stringify({ ok: false, error: outcome?.error });
  const images = blocks.filter((block) => block.type === 'image');
  return [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
    },
    { role: 'tool', tool_call_id: id, content: text },
    // Tools answer in text alone there.
    ...(images.length > 0 ? [{ role: 'user', content: images.map(imagePart) }] : []),
  ];
}

function contentOf(blocks: readonly Block[]) {
  if (blocks.every((block) => block.type === 'text')) return joinText(blocks);
  return blocks.map((block) => (block.type === 'image' ? imagePart(block) : { type: 'text', text: joinText([block]) }));
}

const imagePart = ({ mimeType, data }: ImageBlock) => ({
  type: 'image_url',
  image_url: { url: `data:${mimeType};base64,${data}` },
});
