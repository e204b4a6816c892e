import type { JSONObject } from 'ors-kit';
import type { Turn } from './scripts.ts';

export interface Seen {
  /** All texts, in order. */
  readonly text: string;
  /** Last image, as Base64. */
  readonly image?: string;
  /** Number of messages of an assistant with which the conversation began. */
  readonly replies: number;
}

export declare function respond(
  turn: Turn,
  seen: Seen,
): {
  readonly text: readonly string[];
  readonly reasoning?: string;
  readonly calls: readonly { readonly name: string; readonly input: JSONObject }[];
};
