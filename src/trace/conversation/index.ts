export {
  asList,
  asString,
  type ConversationItem,
  imageOf,
  itemKey,
  type JsonFields,
  type MessagePart,
  omitMissing,
  toItemContent,
  toParts,
} from './items.ts';
export { type ConversationLog, ConversationRecorder, type ModelTurn } from './recorder.ts';
