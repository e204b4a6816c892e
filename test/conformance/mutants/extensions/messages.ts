import type { Mutant } from '../mutant.ts';
import { json } from '../sessions/change.ts';
import { changedJson } from '../wire.ts';
import { duringSetup } from './change.ts';

interface Message {
  readonly role: string;
  readonly blocks: readonly Block[];
  readonly detail: object | null;
}

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly detail?: object | null;
}

/** Changes the conversation of the fixture; a single message stays as it is. */
const changedConversation = (change: (messages: readonly Message[]) => unknown) => ({
  answer: changedJson('messages', (messages: readonly Message[]) =>
    messages.length > 1 ? change(messages) : messages,
  ),
});

export const messagesMutants: readonly Mutant[] = [
  {
    name: 'results of tools are messages of the role tool',
    caughtBy: ['messages/form', 'messages/flattened'],
    wire: () =>
      changedConversation((messages) =>
        messages.map((message) =>
          message.blocks.some(({ type }) => type === 'tool_result') ? { ...message, role: 'tool' } : message,
        ),
      ),
  },
  {
    name: 'the reasoning of a conversation is in messages of the user',
    caughtBy: ['messages/form', 'messages/flattened'],
    wire: () =>
      changedConversation((messages) =>
        messages.flatMap((message) => {
          const reasoning = message.blocks.filter(({ type }) => type === 'reasoning');
          const others = message.blocks.filter(({ type }) => type !== 'reasoning');
          const moved = { role: 'user', blocks: reasoning, detail: null };
          return reasoning.length > 0 ? [moved, { ...message, blocks: others }] : [message];
        }),
      ),
  },
  {
    name: 'messages omit fields that are null',
    caughtBy: ['messages/nullable-keys', 'messages/flattened', 'messages/of-prompt'],
    wire: () => ({
      answer: changedJson('messages', (messages) =>
        JSON.parse(JSON.stringify(messages, (_, value) => (value === null ? undefined : value))),
      ),
    }),
  },
  {
    name: 'the only message is one of the system',
    caughtBy: ['messages/of-prompt'],
    wire: () => ({
      answer: changedJson('messages', (messages: readonly Message[]) =>
        messages.length === 1 ? messages.map((message) => ({ ...message, role: 'system' })) : messages,
      ),
    }),
  },
  {
    name: 'the prompt of a conversation contains tool calls as JSON without spaces',
    caughtBy: ['messages/flattened'],
    wire: () => ({
      answer: changedJson('prompt', (blocks: readonly Block[]) =>
        blocks.map((block) =>
          block.text?.startsWith('[tool_call ') ? { ...block, text: block.text.replaceAll('": ', '":') } : block,
        ),
      ),
    }),
  },
  {
    name: 'the prompt of a conversation is its last message',
    caughtBy: ['messages/flattened'],
    wire: () => ({
      answer: changedJson('prompt', (blocks: readonly Block[]) => (blocks.length > 4 ? blocks.slice(-1) : blocks)),
    }),
  },
  {
    name: 'messages are not available during setup',
    caughtBy: ['messages/after-setup'],
    wire: () => duringSetup('messages', () => json(409, { detail: 'setup has not ended' })),
  },
];
