import { type ChatMessage, type ChatServer, chatText, startChatServer } from '../chat-server.ts';
import { respond } from './scripted-model.mjs';
import type { Episodes, Task } from './scripts.ts';

/**
 * Starts a model for each environment, under its name, that plays the first sample of each task. It knows the task by the
 * text of the conversation.
 */
export function startScriptedModel({ environments }: Episodes): Promise<ChatServer> {
  return startChatServer(async ({ model, messages }) => {
    const text = messages.map(chatText).join('\n');
    const task = environments[model]?.find((one) => text.includes(keyOf(one)));
    const opening = lengthOfOpening(messages);
    const replies = countReplies(messages.slice(0, opening));
    const turn = task?.samples[0]?.[countReplies(messages) - replies];
    if (!turn) return undefined;
    const response = respond(turn, { text, replies });
    return { text: response.text.join('\n'), calls: response.calls };
  });
}

const keyOf = ({ spec }: Task) => `${spec.ticket ?? spec.question}`;
const countReplies = (messages: readonly ChatMessage[]) => messages.filter(({ role }) => role === 'assistant').length;
/** Number of messages until the last one of the user: a scripted model gets only results of tools after it. */
const lengthOfOpening = (messages: readonly ChatMessage[]) => messages.findLastIndex(({ role }) => role === 'user') + 1;
