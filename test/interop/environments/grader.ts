import { createHash } from 'node:crypto';
import { type ChatServer, chatText, startChatServer } from '../chat-server.ts';

/** Key of the grader, which the environments have as a secret. */
export const GRADER_KEY = 'key-of-the-grader';

/** Starts a model that grades answers, each byte of which counts: at least 0.5 if they contain the reference. */
export function startGrader(): Promise<ChatServer> {
  return startChatServer(async ({ messages, key }) => {
    const [prompt] = messages;
    return prompt && key === GRADER_KEY ? { text: `GRADE ${grade(chatText(prompt))}` } : undefined;
  });
}

function grade(prompt: string): number {
  const [, reference = '', answer = ''] = /Reference: (.*)\nAnswer: <<<([\s\S]*)>>>/.exec(prompt) ?? [];
  const fraction = createHash('sha256').update(answer).digest().readUInt16BE() / 2 ** 17;
  return answer.includes(reference) ? 0.5 + fraction : fraction;
}
