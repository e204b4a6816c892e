import { fieldsOf, type JSONValue, pythonJson } from '../../../core/index.ts';

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
