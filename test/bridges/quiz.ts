import { defineEnvironment, jsonSchema, type Message, text } from 'ors-kit';
import type { BridgeCallResult } from 'ors-kit/bridges/ai';
import { OrsClient } from 'ors-kit/client';
import { start } from '../support/client.ts';
import { PIXEL } from './treasure.ts';

/** Conversation with every type of block; its tool has a name that some providers reject. */
const opening: Message[] = [
  { role: 'system', blocks: [text('Be brief.')] },
  { role: 'user', blocks: [text('What is 1 + 1?'), { type: 'image', data: PIXEL, mimeType: 'image/png' }] },
  {
    role: 'assistant',
    blocks: [
      { type: 'reasoning', text: 'I can look it up.', signature: 'signed' },
      text('I will look.'),
      { type: 'tool_call', id: 'c1', name: 'look.up', input: { term: '1 + 1' } },
    ],
  },
  {
    role: 'user',
    blocks: [
      { type: 'tool_result', tool_call_id: 'c1', blocks: [text('out of order')], is_error: true },
      text('Then answer by yourself.'),
    ],
  },
];

/** Environment that continues a conversation and grades the final message. */
export const quiz = defineEnvironment({
  name: 'quiz',
  splits: { train: [{ answer: 2 }] },
  publicTask: () => ({}),
  resolveTask: () => ({ answer: 2 }),
  messages: () => opening,
  tools: {
    'look.up': {
      description: 'Look a term up.',
      input: jsonSchema<{ term: string }>({
        type: 'object',
        properties: { term: { type: 'string' } },
        required: ['term'],
      }),
      run: () => ({ text: 'Nothing found.', reward: 0.25 }),
    },
    grade: {
      description: 'Grades the answer.',
      input: jsonSchema<{ answer: number }>({
        type: 'object',
        properties: { answer: { type: 'integer' } },
        required: ['answer'],
      }),
      terminal: true,
      run: ({ input, task }) => ({ text: 'Graded.', reward: input.answer === task.answer ? 1 : 0, finished: true }),
    },
  },
  solve: async ({ answer, task }) => void (await answer(String(task.answer))),
});

/** Opens an episode of the quiz on a server, and records the rewards that a bridge reports. */
export async function openQuiz() {
  const server = await start(quiz);
  const client = new OrsClient(server.url);
  const results: BridgeCallResult[] = [];
  const session = await client.environment('quiz').session({ split: 'train', index: 0 });
  return {
    server,
    client,
    session,
    results,
    onResult: (result: BridgeCallResult) => void results.push(result),
    async [Symbol.asyncDispose]() {
      await session[Symbol.asyncDispose]();
      await client.close();
      await server.close();
    },
  };
}
