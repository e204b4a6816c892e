import { formatMessages } from '../../../client/formats/index.ts';
import { isLoopbackHost, isRecord, truncate, tryParseJson } from '../../../core/index.ts';
import {
  type ImageBlock,
  type JSONObject,
  joinText,
  type Message,
  type ToolOutput,
  type ToolSpec,
} from '../../../protocol/index.ts';
import { sumRewards } from '../parts/rewards.ts';

/** Task of an episode. */
export interface PlaygroundTask {
  readonly environment: string;
  readonly split: string;
  readonly index: number;
}

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
      ...played.flatMap(({ tool, input, answer, outcome }, at) =>
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

/** Returns the sum of the rewards; null if no call returned one. */
export function rewardSum(calls: readonly { readonly outcome?: PlaygroundCallOutcome }[]): number | null {
  return sumRewards(calls.map(({ outcome }) => (outcome?.kind === 'output' ? outcome.output.reward : undefined)));
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

/** Result of a call: an output, a tool error that the player can act on, or a failed call. */
export type PlaygroundCallOutcome =
  | { readonly kind: 'output'; readonly output: ToolOutput }
  | { readonly kind: 'refused'; readonly error: string; readonly reason?: string }
  | { readonly kind: 'crashed'; readonly error: string };

/**
 * Reads the result from the events of a call; undefined if they end without one. Source: HTTP API, "SSE Event Types".
 *
 * @param onEvent called for each event.
 */
export async function readCallOutcome(
  events: AsyncIterable<{ readonly event: string; readonly data: string }>,
  onEvent: () => void = () => {},
): Promise<PlaygroundCallOutcome | undefined> {
  let json = '';
  for await (const { event, data } of events) {
    onEvent();
    if (event === 'error') return { kind: 'crashed', error: data };
    if (event === 'chunk') json += data;
    if (event === 'end') return read(json + data);
  }
  return undefined;
}

function read(json: string): PlaygroundCallOutcome {
  const result = tryParseJson(json);
  // The server follows the standard; anything else is shown as it came.
  if (!isRecord(result)) return { kind: 'crashed', error: `the result is not a JSON object: ${truncate(json, 200)}` };
  const { ok, output, error, reason } = result;
  // Validated by the server.
  if (ok && output) return { kind: 'output', output: output as ToolOutput };
  const text = typeof error === 'string' ? error : JSON.stringify(error ?? result);
  return { kind: 'refused', error: text, ...(typeof reason === 'string' && { reason }) };
}

/**
 * Returns whether this page may open episodes: on the same machine, or with a key that the server requires. Otherwise a
 * link could make a visitor start work on an unprotected server.
 */
export const canPlay = (hostname: string, key: string | undefined): boolean =>
  key !== undefined || isLoopbackHost(hostname) || hostname.endsWith('.localhost');
