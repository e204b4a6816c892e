import { isFor, type Wire, type WireRequest } from '../wire.ts';

type Frames = NonNullable<Wire['frames']>;
type Bytes = string | Uint8Array;

/** What a call's request says. */
export interface CallBody {
  readonly name: string;
  readonly input: unknown;
  readonly task_id?: string | null;
}

/** That of a request that is a call, as far as its form goes. */
export function callOf(request: WireRequest): CallBody | undefined {
  if (!isFor(request, 'call')) return undefined;
  try {
    const body = JSON.parse(request.body.toString()) as CallBody | null;
    return typeof body?.name === 'string' && typeof (body.task_id ?? '') === 'string' ? body : undefined;
  } catch {
    return undefined;
  }
}

/** A call with another body. */
export const withBody = (request: WireRequest, body: object): WireRequest => ({
  ...request,
  body: Buffer.from(JSON.stringify(body)),
});

export const sidOf = ({ headers }: WireRequest) => String(headers['x-session-id']);

/** The event and the data of a frame; undefined for comments. */
export function eventOf(frame: string): { readonly event: string; readonly data: string } | undefined {
  const [, event, data] = /^event: ([^\n]*)\ndata: (.*)\n\n$/s.exec(frame) ?? [];
  return event === undefined || data === undefined ? undefined : { event, data };
}

export const frameOf = (event: string, data: string) => `event: ${event}\ndata: ${data}\n\n`;

/** The frames of a result that is cut like this. */
export const resultFrames = (data: readonly string[]): string[] =>
  data.map((part, index) => frameOf(index === data.length - 1 ? 'end' : 'chunk', part));

/** Streams of calls alone, changed as a whole. */
export const callFrames = (change: Frames): Frames =>
  async function* (frames, request) {
    yield* isFor(request, 'call') ? change(frames, request) : frames;
  };

/** Results of calls that are cut in another way: data of `chunk` and `end` -> what is sent instead. */
export const recut = (change: (data: readonly string[], request: WireRequest) => Iterable<Bytes>): Frames =>
  callFrames(async function* (frames, request) {
    const data: string[] = [];
    for await (const frame of frames) {
      const part = eventOf(frame);
      if (part?.event !== 'chunk' && part?.event !== 'end') yield frame;
      else data.push(part.data);
      if (part?.event === 'end') yield* change(data, request);
    }
  });

/** A stream that says that the task_id is not known. */
export const unknown = (taskId: string) => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' },
  body: Buffer.from(frameOf('task_id', taskId) + frameOf('error', 'unknown task_id')),
});
