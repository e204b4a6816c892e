import { isFor, type Wire, type WireRequest } from '../wire.ts';

type Frames = NonNullable<Wire['frames']>;
type Bytes = string | Uint8Array;

/** Body of a call. */
export interface CallBody {
  readonly name: string;
  readonly input: unknown;
  readonly task_id?: string | null;
}

/** Returns the body of a call request; undefined for other requests. */
export function callOf(request: WireRequest): CallBody | undefined {
  if (!isFor(request, 'call')) return undefined;
  try {
    const body = JSON.parse(request.body.toString()) as CallBody | null;
    return typeof body?.name === 'string' && typeof (body.task_id ?? '') === 'string' ? body : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces the body of a call. */
export const withBody = (request: WireRequest, body: object): WireRequest => ({
  ...request,
  body: Buffer.from(JSON.stringify(body)),
});

export const sidOf = ({ headers }: WireRequest) => String(headers['x-session-id']);

/** Parses the event and data of a frame; undefined for comments. */
export function eventOf(frame: string): { readonly event: string; readonly data: string } | undefined {
  const [, event, data] = /^event: ([^\n]*)\ndata: (.*)\n\n$/s.exec(frame) ?? [];
  return event === undefined || data === undefined ? undefined : { event, data };
}

export const frameOf = (event: string, data: string) => `event: ${event}\ndata: ${data}\n\n`;

/** Returns the frames of a result with these chunks. */
export const resultFrames = (data: readonly string[]): string[] =>
  data.map((part, index) => frameOf(index === data.length - 1 ? 'end' : 'chunk', part));

/** Changes the complete streams of calls. */
export const callFrames = (change: Frames): Frames =>
  async function* (frames, request) {
    yield* isFor(request, 'call') ? change(frames, request) : frames;
  };

/** Changes the chunks of results: maps the data of `chunk` and `end` to the data that is sent instead. */
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

/** Frames of a stream with the error `unknown task_id`. */
export const unknown = (taskId: string) => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' },
  body: Buffer.from(frameOf('task_id', taskId) + frameOf('error', 'unknown task_id')),
});
