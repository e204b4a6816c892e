/** One Server-Sent Event: its name and its data; by its id a client can ask for what came after it. */
export interface ServerSentEvent {
  readonly event: string;
  readonly data: string;
  readonly id?: string;
}

/** A comment, which every parser skips: keeps a silent stream alive. */
export const HEARTBEAT_COMMENT = ': ping\n\n';

/** Writes an event as it goes on the wire; data of several lines takes one `data:` field per line. */
export function encodeEvent({ event, data, id }: ServerSentEvent): string {
  // Not by an expression, which looks at each character of a large result.
  const isOneLine = !data.includes('\n') && !data.includes('\r');
  const lines = isOneLine ? data : data.split(/\r\n|\r|\n/).join('\ndata: ');
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${lines}\n\n`;
}
