import { formatMessages } from '../../../client/formats/index.ts';
import { type ImageBlock, type JSONObject, joinText, type Message, type ToolSpec } from '../../../protocol/index.ts';
import { type PlaygroundCallOutcome, rewardSum } from './call-outcome.ts';
import type { PlaygroundTask } from './task.ts';

interface DemonstrationInput extends PlaygroundTask {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  readonly calls: readonly {
    readonly tool: string;
    readonly input: JSONObject;
    /** Text of the final message, if the call submitted it. */
    readonly answer?: string;
    readonly outcome?: PlaygroundCallOutcome;
  }[];
}

/** Converts a played episode to a conversation in the format of OpenAI's chat completions. */
export function toDemonstration({ environment, split, index, messages, tools, calls }: DemonstrationInput) {
  const played = calls.filter(({ outcome }) => outcome !== undefined);
  return {
    messages: [
      ...formatMessages(messages, 'openai'),
      ...played.flatMap(({ tool, input, answer, outcome }, at): object[] =>
        answer === undefined ? turn(`call_${at + 1}`, tool, input, outcome) : answerTurn(answer, outcome),
      ),
    ],
    tools: tools.map(({ name, description, input_schema }) => ({
      type: 'function',
      function: { name, description, parameters: input_schema ?? { type: 'object', properties: {} } },
    })),
    metadata: { environment, split, index, reward_sum: rewardSum(played) },
  };
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
    // In this format the results of tools are text only.
    ...(images.length > 0 ? [{ role: 'user', content: images.map(imagePart) }] : []),
  ];
}

/** Returns the final message, and the refusal after which the player wrote another one. */
function answerTurn(answer: string, outcome: PlaygroundCallOutcome | undefined) {
  const message = { role: 'assistant', content: answer };
  return outcome?.kind === 'refused' ? [message, { role: 'user', content: outcome.error }] : [message];
}

const imagePart = ({ mimeType, data }: ImageBlock) => ({
  type: 'image_url',
  image_url: { url: `data:${mimeType};base64,${data}` },
});
