import { equalJson, fieldsOf, isRecord, type JSONValue, previewJson, pythonJson } from '../../../core/index.ts';
import { assertConforms, assume } from '../../assertions.ts';
import { defineChecks, fixtureCheck } from '../../check.ts';
import type { Probe, ProbeEpisode } from '../../probe/index.ts';
import { isFixture } from '../../target.ts';
import { assertSuccess } from '../responses.ts';
import { postCreate, requirePrompt } from '../steps.ts';
import { requireMessages } from './announced.ts';

/** Blocks that messages of a role may have. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  system: ['text', 'image'],
  user: ['text', 'image', 'tool_result'],
  assistant: ['text', 'image', 'reasoning', 'tool_call'],
};

const SETUP_MS = 700;
const CLOCK_TOLERANCE_MS = 50;

export const messagesChecks = defineChecks({ profile: 'core', needs: ['task'] }, [
  {
    id: 'messages/form',
    title: 'GET /messages returns messages with a role, and blocks that this role may have',
    requirement: 'ORS-EXT-009',
    cost: { sessions: 1 },
    async run(probe) {
      const all = await requireMessages(probe, await richEpisode(probe));
      const wrong = all.find((message) => !isMessage(message));
      assertConforms(wrong === undefined, `a message is ${previewJson(wrong, 300)}`);
    },
  },
  {
    id: 'messages/nullable-keys',
    title: 'Every message and every block of it has detail, signature and is_error where its type has them',
    requirement: 'ORS-EXT-010',
    cost: { sessions: 1 },
    async run(probe) {
      for (const message of await requireMessages(probe, await richEpisode(probe))) {
        const parts = [{ part: message, keys: ['detail'] }, ...blocksOf(message).flatMap(keysOfBlock)];
        const wrong = parts.find(({ part, keys }) => keys.some((key) => !Object.hasOwn(fieldsOf(part), key)));
        assertConforms(!wrong, `${wrong?.keys.join(' or ')} is missing in ${previewJson(wrong?.part, 300)}`);
      }
    },
  },
  fixtureCheck({
    id: 'messages/of-prompt',
    title: 'The messages of an episode that has only a prompt are one user message with the blocks of the prompt',
    requirement: 'ORS-EXT-011',
    tools: [],
    calls: 0,
    async run(probe) {
      const episode = await probe.episode({ task: { id: 'picture', prompt_image: true } });
      const all = await requireMessages(probe, episode);
      const prompt = await requirePrompt(episode);
      const isSame = all.length === 1 && fieldsOf(all[0]).role === 'user' && equalJson(blocksOf(all[0]), prompt);
      assertConforms(isSame, `the prompt is ${previewJson(prompt)}, the messages are ${previewJson(all)}`);
    },
  }),
  fixtureCheck({
    id: 'messages/flattened',
    title: 'The prompt of a conversation has its messages in order, as text with roles',
    requirement: 'ORS-EXT-012',
    tools: [],
    calls: 0,
    async run(probe) {
      const episode = await probe.episode({ task: { id: 'talk', conversation: true } });
      const all = await requireMessages(probe, episode);
      assume(all.length > 1, `the fixture has no conversation: its messages are ${previewJson(all)}`);
      const prompt = await requirePrompt(episode);
      const expected = flattenedPrompt(all);
      const wrong = Array.isArray(prompt) ? prompt.findIndex((block, at) => !equalJson(block, expected[at])) : 0;
      const isSame = equalJson(prompt, expected);
      const at = Math.max(wrong, 0);
      const found = `block ${at} of the prompt is ${previewJson(Array.isArray(prompt) ? prompt[at] : prompt)}`;
      assertConforms(isSame, `${found} instead of ${previewJson(expected[at])}`);
    },
  }),
  fixtureCheck({
    id: 'messages/after-setup',
    title: 'GET /messages during setup waits for it',
    requirement: 'ORS-EXT-013',
    tools: [],
    sessions: 2,
    calls: 0,
    async run(probe) {
      await requireMessages(probe, await probe.episode());
      const sid = await probe.createSessionId();
      const created = await postCreate(probe, sid, await probe.createBody({ task: { setup_ms: SETUP_MS } }));
      created.requireSuccess('/create');
      const response = await probe.send('GET', probe.path('messages'), { sid });
      assertSuccess(response, '/messages during setup');
      const ms = Math.round((response.exchange.endedAt ?? 0) - created.exchange.sentAt);
      const hasWaited = ms >= SETUP_MS - CLOCK_TOLERANCE_MS;
      assertConforms(hasWaited, `/messages ended ${ms} ms after /create; setup took ${SETUP_MS} ms`);
    },
  }),
]);

/** Returns an episode that has every kind of block if the environment is the fixture. */
const richEpisode = (probe: Probe): Promise<ProbeEpisode> =>
  isFixture(probe.environment.name)
    ? probe.episode({ task: { id: 'talk', conversation: true } })
    : probe.sharedEpisode();

function isMessage(message: unknown): boolean {
  const { role, blocks } = fieldsOf(message);
  const places = typeof role === 'string' && Object.hasOwn(PLACES, role) ? PLACES[role] : undefined;
  if (!places || !Array.isArray(blocks)) return false;
  return blocks.every((block) => places.includes(String(fieldsOf(block).type)) && isBlock(block));
}

function isBlock(block: unknown): boolean {
  const { type, text, data, mimeType, id, name, input, tool_call_id, blocks } = fieldsOf(block);
  const areTexts = (...values: readonly unknown[]) => values.every((value) => typeof value === 'string');
  if (type === 'image') return areTexts(data, mimeType);
  if (type === 'tool_call') return areTexts(id, name) && isRecord(input);
  if (type !== 'tool_result') return areTexts(text);
  const isContent = (inner: unknown) => PLACES.system?.includes(String(fieldsOf(inner).type)) && isBlock(inner);
  return areTexts(tool_call_id) && Array.isArray(blocks) && blocks.every(isContent);
}

/** Returns the keys that a block, and the blocks in it, must have even if they are null. */
function keysOfBlock(block: unknown): { readonly part: unknown; readonly keys: readonly string[] }[] {
  const { type } = fieldsOf(block);
  const more = type === 'reasoning' ? ['signature'] : type === 'tool_result' ? ['is_error'] : [];
  return [{ part: block, keys: ['detail', ...more] }, ...blocksOf(block).flatMap(keysOfBlock)];
}

/**
 * Returns the blocks of `/prompt` for the messages of `/messages`, as openreward 0.1.167 makes them. A single message of
 * the user with only text and images is its own prompt.
 */
export function flattenedPrompt(messages: readonly unknown[]): unknown[] {
  const [first] = messages;
  if (messages.length === 1 && fieldsOf(first).role === 'user' && blocksOf(first).every(isContent))
    return blocksOf(first);
  return messages.flatMap((message) => {
    const { role } = fieldsOf(message);
    return [textBlock(`[${String(role)}]`, { role }), ...blocksOf(message).flatMap(flattenedBlock)];
  });
}

export const blocksOf = (value: unknown): unknown[] => {
  const { blocks } = fieldsOf(value);
  return Array.isArray(blocks) ? blocks : [];
};

const isContent = (block: unknown): boolean => ['text', 'image'].includes(String(fieldsOf(block).type));

const textBlock = (text: string, detail: object) => ({ text, detail, type: 'text' });

function flattenedBlock(block: unknown): unknown[] {
  const { type, text, id, name, input, tool_call_id, is_error } = fieldsOf(block);
  if (type === 'reasoning') return [textBlock(`<think>${String(text)}</think>`, { type })];
  if (type === 'tool_call') {
    // Parsed from JSON.
    const json = pythonJson(input as JSONValue);
    return [textBlock(`[tool_call ${String(name)}] ${json}`, { type, id })];
  }
  if (type !== 'tool_result') return [block];
  const heading = is_error === true ? '[tool_result (error)]' : '[tool_result]';
  return [textBlock(heading, { type, tool_call_id }), ...blocksOf(block)];
}
