import type { ConversationItem, JsonFields, ModelTurn } from '../../conversation/index.ts';

/** Reads the requests and responses of one API. */
export interface ProviderApi {
  readonly items: (params: JsonFields) => ConversationItem[];
  readonly turns: (response: JsonFields, request: unknown) => readonly ModelTurn[];
  /** Joins the items of a stream to a response. */
  readonly collect: () => { add(item: JsonFields): void; result(): JsonFields };
  /** Parameters with the conversation, which are not logged again in `raw`. */
  readonly conversation: readonly string[];
  /** Returns true if the provider stores the conversation, and the request has only new items. */
  readonly continues: (params: JsonFields) => boolean;
}
