import {
  CallMatcher,
  isRecord,
  type JSONObject,
  type JSONValue,
  type NameRule,
  pythonJson,
  sanitizeName,
  uniqueName,
} from '../core/index.ts';
import {
  asString,
  describeValue,
  itemsOf,
  OutputError,
  type SerializeBlockOptions,
  serializeBlock,
  serializeObject,
} from './serialize-blocks.ts';
import {
  type Block,
  blocksOf,
  type Message,
  type MessageBlock,
  plainPrompt,
  type SerializedBlock,
  type SerializedMessage,
} from './types.ts';

type SerializedMessageBlock = SerializedMessage['blocks'][number];
type BlockType = MessageBlock['type'];

/** Types of the blocks of messages, in the order in which servers announce them. */
export const MESSAGE_BLOCK_TYPES = ['text', 'image', 'reasoning', 'tool_call', 'tool_result'] as const;

/** Types of blocks that messages can contain, by their role. */
export const BLOCK_TYPES_BY_ROLE: Readonly<Record<Message['role'], readonly BlockType[]>> = {
  system: ['text', 'image'],
  user: ['text', 'image', 'tool_result'],
  assistant: ['text', 'image', 'reasoning', 'tool_call'],
};

/** Fields of blocks by type, apart from `type` and `detail`. */
const FIELDS: Readonly<Record<BlockType, { readonly required: readonly string[]; readonly optional?: string }>> = {
  text: { required: ['text'] },
  image: { required: ['data', 'mimeType'] },
  reasoning: { required: ['text'], optional: 'signature' },
  tool_call: { required: ['id', 'name', 'input'] },
  tool_result: { required: ['tool_call_id', 'blocks'], optional: 'is_error' },
};

/**
 * Validates messages and adds missing fields. A block without `type` gets the first type that has exactly its fields and
 * that messages of this role may contain. The order of roles and the ids of calls are not checked.
 * Source: openreward 0.1.167, `GET /{env_name}/messages`.
 *
 * @param where name of the list in errors.
 * @throws OutputError naming the field that is invalid, or a block that a message of its role cannot contain.
 */
export function serializeMessages(
  messages: unknown,
  where: string,
  options: SerializeBlockOptions = {},
): SerializedMessage[] {
  return itemsOf(messages, where, 'messages').map((message, index) => {
    return serializeMessage(message, `${where}[${index}]`, options);
  });
}

function serializeMessage(message: unknown, where: string, options: SerializeBlockOptions): SerializedMessage {
  if (!isRecord(message)) {
    throw new OutputError(`${where} is ${describeValue(message)}; it must be a message { role, blocks }`);
  }
  const { role, blocks, detail } = message;
  if (!isRole(role)) throw new OutputError(`${where}.role must be system, user or assistant`);
  return {
    role,
    blocks: itemsOf(blocks, `${where}.blocks`, 'blocks').map((block, index) => {
      return serializeIn(`role ${role}`, BLOCK_TYPES_BY_ROLE[role], block, `${where}.blocks[${index}]`, options);
    }),
    detail: serializeObject(detail ?? null, `${where}.detail`),
  };
}

const isRole = (role: unknown): role is Message['role'] =>
  typeof role === 'string' && Object.hasOwn(BLOCK_TYPES_BY_ROLE, role);

function serializeIn(
  parent: string,
  types: readonly BlockType[],
  value: unknown,
  where: string,
  options: SerializeBlockOptions,
): SerializedMessageBlock {
  if (!isRecord(value)) throw new OutputError(`${where} is ${describeValue(value)}; it must be a block`);
  const type = value.type ?? types.find((each) => hasFieldsOf(each, value));
  if (!MESSAGE_BLOCK_TYPES.some((each) => each === type)) {
    throw new OutputError(`${where}.type must be one of ${types.join(', ')}`);
  }
  if (!types.some((each) => each === type)) {
    throw new OutputError(`${where} is a ${type} block, but ${parent} allows only ${types.join(', ')}`);
  }
  const block = { ...value, type };
  const detail = serializeObject(value.detail ?? null, `${where}.detail`);
  if (type === 'reasoning') {
    const { text, signature = null } = value;
    return {
      text: asString(text, `${where}.text`),
      signature: signature === null ? null : asString(signature, `${where}.signature`),
      detail,
      type: 'reasoning',
    };
  }
  if (type === 'tool_call') {
    const { id, name, input } = value;
    return {
      id: asString(id, `${where}.id`),
      name: asString(name, `${where}.name`),
      input: requiredObject(input, `${where}.input`),
      detail,
      type: 'tool_call',
    };
  }
  return type === 'tool_result'
    ? serializeResult(value, detail, where, options)
    : serializeBlock(block, where, options);
}

function serializeResult(
  { tool_call_id, blocks, is_error }: Readonly<Record<string, unknown>>,
  detail: JSONObject | null,
  where: string,
  options: SerializeBlockOptions,
): SerializedMessageBlock {
  const isError = is_error ?? false;
  if (typeof isError !== 'boolean') {
    throw new OutputError(`${where}.is_error is ${describeValue(is_error)}; it must be true or false`);
  }
  return {
    tool_call_id: asString(tool_call_id, `${where}.tool_call_id`),
    // Only blocks of these two types are accepted.
    blocks: itemsOf(blocks, `${where}.blocks`, 'blocks').map((block, index) => {
      return serializeIn('a tool_result', ['text', 'image'], block, `${where}.blocks[${index}]`, options);
    }) as SerializedBlock[],
    is_error: isError,
    detail,
    type: 'tool_result',
  };
}

/** Returns true if a block without `type` can have this one: it has all its required fields, and no other fields. */
function hasFieldsOf(type: BlockType, block: Readonly<Record<string, unknown>>): boolean {
  const { required, optional } = FIELDS[type];
  const isKnown = (key: string) => required.includes(key) || key === optional || key === 'detail' || key === 'type';
  return required.every((key) => key in block) && Object.keys(block).every(isKnown);
}

function requiredObject(value: unknown, where: string): JSONObject {
  const object = serializeObject(value ?? null, where);
  if (object) return object;
  throw new OutputError(`${where} is ${String(value)}; it must be an object`);
}

/**
 * Returns a conversation as a prompt, for clients that do not read messages: the blocks of a single message of the user,
 * otherwise the blocks of all messages, each after a header such as `[user]`, with reasoning, calls and results as text.
 * Equal to the prompt of openreward 0.1.167, byte for byte.
 */
export function flattenMessages(messages: readonly (Message | SerializedMessage)[]): SerializedBlock[] {
  const prompt = plainPrompt(messages);
  if (prompt) return prompt.map(contentOf);
  return messages.flatMap(({ role, blocks }) => [
    textOf(`[${role}]`, { role }),
    ...[...blocks].flatMap((block) => flattenBlock(block)),
  ]);
}

function flattenBlock(block: Message['blocks'][number]): SerializedBlock[] {
  switch (block.type) {
    case 'reasoning':
      return [textOf(`<think>${block.text}</think>`, { type: 'reasoning' })];
    case 'tool_call': {
      // As it is sent: JSON may convert dates and omit undefined properties.
      const input = JSON.parse(JSON.stringify(block.input)) as JSONValue;
      return [textOf(`[tool_call ${block.name}] ${pythonJson(input)}`, { type: 'tool_call', id: block.id })];
    }
    case 'tool_result': {
      const header = block.is_error ? '[tool_result (error)]' : '[tool_result]';
      const detail = { type: 'tool_result', tool_call_id: block.tool_call_id };
      return [textOf(header, detail), ...block.blocks.map(contentOf)];
    }
    default:
      return [contentOf(block)];
  }
}

const textOf = (text: string, detail: JSONObject): SerializedBlock => ({ text, detail, type: 'text' });

function contentOf(block: Block): SerializedBlock {
  const { detail = null } = block;
  if (block.type === 'text') return { text: block.text, detail, type: 'text' };
  return { data: block.data, mimeType: block.mimeType, detail, type: 'image' };
}

/** Rule for readers that accept every id of a call, except an empty one. */
export const ANY_CALL_ID: NameRule = { rejected: /(?!)/g, start: /^./s, maxLength: Number.POSITIVE_INFINITY };

/**
 * Returns a conversation in which every call has its own id, and each result the id of its call. Ids that are unique and
 * valid stay unchanged, and so does the valid id of a result without a call.
 *
 * @param rule ids that the reader of the conversation accepts. @default every id that is not empty
 */
export function withUniqueCallIds(messages: readonly Message[], rule = ANY_CALL_ID): readonly Message[] {
  const calls = new CallMatcher<string>();
  const taken = new Set<string>();
  const validId = (id: string) => sanitizeName(id === '' ? 'call' : id, rule);
  const all = messages.flatMap(blocksOf).flatMap((block) => (block.type === 'tool_call' ? [block.id] : []));
  const valid = new Set(all.filter((id) => validId(id) === id));
  const claimId = (id: string): string => {
    const isTaken = (other: string) => taken.has(other) || (other !== id && valid.has(other));
    const claimed = uniqueName(validId(id), isTaken, { maxLength: rule.maxLength });
    taken.add(claimed);
    return claimed;
  };
  const convert = (block: MessageBlock): MessageBlock => {
    if (block.type === 'tool_call') {
      const id = claimId(block.id);
      calls.add(block.id, id);
      return id === block.id ? block : { ...block, id };
    }
    if (block.type !== 'tool_result') return block;
    const { tool_call_id } = block;
    const id = calls.take(tool_call_id)?.call ?? validId(tool_call_id);
    return id === tool_call_id ? block : { ...block, tool_call_id: id };
  };
  return messages.map((message) => {
    calls.endTurn();
    const blocks = blocksOf(message).map(convert);
    const isUnchanged = blocks.every((block, index) => block === message.blocks[index]);
    // The types of the blocks are the same.
    return isUnchanged ? message : ({ ...message, blocks } as Message);
  });
}
