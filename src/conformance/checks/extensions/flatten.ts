import { fieldsOf } from '../../../core/index.ts';

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
  if (type === 'tool_call') return [textBlock(`[tool_call ${String(name)}] ${pythonJson(input)}`, { type, id })];
  if (type !== 'tool_result') return [block];
  const heading = is_error === true ? '[tool_result (error)]' : '[tool_result]';
  return [textBlock(heading, { type, tool_call_id }), ...blocksOf(block)];
}

/** Formats JSON as Python's `json.dumps` does by default; for strings, integers and containers of them. */
function pythonJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(([key, field]) => `${pythonJson(key)}: ${pythonJson(field)}`);
    return `{${fields.join(', ')}}`;
  }
  const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  // Without the flag u, each half of a surrogate pair is matched alone.
  return JSON.stringify(value).replace(/[^ -~]/g, escapeUnit);
}
