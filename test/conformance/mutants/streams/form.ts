import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Mutant } from '../mutant.ts';
import { changedFrames, type Wire, type WireRequest } from '../wire.ts';
import { callFrames, callOf, frameOf, recut, resultFrames, withBody } from './frames.ts';

export const formMutants: readonly Mutant[] = [
  {
    name: 'events have a field that Server-Sent Events do not know',
    caughtBy: ['sse/well-formed'],
    wire: () => ({ frames: changedFrames((frame) => frame.replace(/^(event: end\n)/, '$1trace: 7\n')) }),
  },
  {
    name: 'streams begin with a comment that is not UTF-8',
    caughtBy: ['sse/well-formed'],
    wire: () => ({
      frames: changedFrames((frame) =>
        frame.startsWith('event: task_id') ? Buffer.from(`: caf\xe9\n\n${frame}`, 'latin1') : frame,
      ),
    }),
  },
  {
    name: 'a progress event comes before the result',
    caughtBy: ['sse/known-events'],
    wire: () => ({
      frames: callFrames(
        changedFrames((frame) => (frame.startsWith('event: end') ? frameOf('progress', '100') + frame : frame)),
      ),
    }),
  },
  {
    name: 'a task_id has a space in it',
    caughtBy: ['sse/task-id-token'],
    wire: spacedTaskIds,
  },
  {
    name: 'the JSON of a small result has several lines',
    caughtBy: ['sse/one-line'],
    wire: () => ({
      frames: recut((data) =>
        data.length > 1
          ? resultFrames(data)
          : [
              `event: end\ndata: ${JSON.stringify(JSON.parse(data[0] ?? ''), null, 1).replaceAll('\n', '\ndata: ')}\n\n`,
            ],
      ),
    }),
  },
  {
    name: 'streams may be cached for a minute',
    caughtBy: ['sse/no-cache'],
    wire: () => ({
      head: ({ headers, ...head }) => ({ ...head, headers: { ...headers, 'cache-control': 'max-age=60' } }),
    }),
  },
  {
    name: 'a client that accepts gzip gets each event compressed',
    caughtBy: ['sse/not-compressed'],
    wire: () => ({
      head: compressedHead,
      async *frames(frames, request) {
        for await (const frame of frames) yield takesGzip(request) ? gzipSync(frame) : frame;
      },
    }),
  },
  {
    name: 'a client that accepts gzip gets the stream compressed as a whole',
    caughtBy: ['sse/not-compressed', 'sse/streamed-with-gzip'],
    wire: () => ({
      head: compressedHead,
      async *frames(frames, request) {
        if (!takesGzip(request)) return yield* frames;
        const all: string[] = [];
        for await (const frame of frames) all.push(frame);
        yield gzipSync(all.join(''));
      },
    }),
  },
  {
    name: 'a connection is closed after a stream',
    caughtBy: ['sse/connection-reusable'],
    wire: () => ({
      server: (server) => {
        server.prependListener('request', ({ url }, response: ServerResponse) => {
          if (url?.endsWith('/call')) response.shouldKeepAlive = false;
        });
      },
    }),
  },
];

const takesGzip = ({ headers }: WireRequest) => String(headers['accept-encoding']).includes('gzip');

const compressedHead: NonNullable<Wire['head']> = (head, request) =>
  takesGzip(request) ? { ...head, headers: { ...head.headers, 'content-encoding': 'gzip' } } : head;

/** Adds the prefix `call ` to task_ids outside the server, and removes it from requests. */
function spacedTaskIds(): Wire {
  return {
    request: (request) => {
      const body = callOf(request);
      return body?.task_id?.startsWith('call ')
        ? withBody(request, { ...body, task_id: body.task_id.slice(5) })
        : request;
    },
    frames: callFrames(
      changedFrames((frame) => frame.replace(/^(event: task_id\ndata: )(?=[0-9a-f]{32}\n)/, '$1call ')),
    ),
  };
}
