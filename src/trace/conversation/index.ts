export {
  asList,
  asString,
  type ConversationContent,
  type ConversationItem,
  imageOf,
  itemKey,
  type JsonFields,
  type MessagePart,
  omitMissing,
  toItemContent,
  toParts,
} from './items.ts';
export { type ConversationLog, ConversationRecorder, type ConversationState, type ModelTurn } from './recorder.ts';
