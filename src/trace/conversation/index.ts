export {
  asList,
  asString,
  type ConversationItem,
  imageOf,
  itemKey,
  type JsonFields,
  type MessagePart,
  omitMissing,
  StreamedItems,
  toItemContent,
  toParts,
} from './items.ts';
export {
  type ConversationLog,
  ConversationRecorder,
  type LoggedCall,
  type LoggedItem,
  type ModelTurn,
} from './recorder.ts';
