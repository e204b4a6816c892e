import { formatMessages, formatTools } from '../../../client/formats/index.ts';
import { type JSONObject, type Message, type ToolSpec, text } from '../../../protocol/index.ts';
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
  const turns = played.flatMap(({ tool, input, answer, outcome }, at): Message[] =>
    answer === undefined ? callTurns(`call_${at + 1}`, tool, input, outcome) : answerTurns(answer, outcome),
  );
  return {
    messages: formatMessages([...messages, ...turns], 'openai'),
    tools: formatTools(tools, 'openai'),
    metadata: { environment, split, index, reward_sum: rewardSum(played) },
  };
}

function callTurns(id: string, name: string, input: JSONObject, outcome: PlaygroundCallOutcome | undefined): Message[] {
  const isOutput = outcome?.kind === 'output';
  const blocks = isOutput ? outcome.output.blocks : [text(outcome?.error ?? '')];
  return [
    { role: 'assistant', blocks: [{ type: 'tool_call', id, name, input }] },
    { role: 'user', blocks: [{ type: 'tool_result', tool_call_id: id, blocks, is_error: !isOutput }] },
  ];
}

/** Returns the final message, and the refusal after which the player wrote another one. */
function answerTurns(answer: string, outcome: PlaygroundCallOutcome | undefined): Message[] {
  const message: Message = { role: 'assistant', blocks: [text(answer)] };
  return outcome?.kind === 'refused' ? [message, { role: 'user', blocks: [text(outcome.error)] }] : [message];
}
