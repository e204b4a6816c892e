import type { ServerResponse } from 'node:http';

const HEADS = new WeakSet<ServerResponse>();

/** Notes that a request is for the head of an answer alone: what would come as it goes on is not asked for. */
export function noteHead(response: ServerResponse): void {
  HEADS.add(response);
}

export const isHead = (response: ServerResponse): boolean => HEADS.has(response);
