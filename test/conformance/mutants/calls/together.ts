import { operationHandlers } from 'ors-kit/server';
import type { Mutant } from '../mutant.ts';
import { callOf, inputOf } from './of-calls.ts';

export const togetherMutants: readonly Mutant[] = [
  {
    name: 'a tool waits until long calls of other sessions are over',
    caughtBy: ['call/parallel-sessions'],
    server() {
      const running = new Set<Promise<void>>();
      return {
        handlers: {
          async callTool(request, context) {
            const { name } = request.body;
            const session = context.sessions.find(request.header['X-Session-ID']);
            if (name === 'noargs') await session?.hold(() => Promise.all(running));
            const events = (await operationHandlers.callTool(request, context)) as EventStream;
            return name === 'sleep' && inputOf(request.body).ms === 8_000 ? held(events, running) : events;
          },
        },
      };
    },
  },
  {
    name: 'a call is refused while another of its session runs',
    caughtBy: ['call/parallel-calls'],
    server() {
      const busy = new Set<string>();
      return {
        handlers: {
          async callTool(request, context) {
            const sid = request.header['X-Session-ID'];
            const { name } = request.body;
            if (name === 'count' && busy.has(sid)) return refusal();
            const events = (await operationHandlers.callTool(request, context)) as EventStream;
            return name === 'sleep' ? marking(busy, sid, events) : events;
          },
        },
      };
    },
  },
  {
    name: 'a call is cancelled when its client disconnects',
    caughtBy: ['call/disconnect', 'resume/dropped-connection'],
    wire() {
      const cancelled = new Set<unknown>();
      return {
        request(request) {
          const taskId = callOf(request)?.task_id;
          if (!cancelled.has(taskId)) return request;
          const headers = { 'content-type': 'text/event-stream' };
          const body = Buffer.from(`event: task_id\ndata: ${taskId}\n\nevent: error\ndata: cancelled\n\n`);
          return { status: 200, headers, body };
        },
        async *frames(frames) {
          let [taskId, isOver]: [string | undefined, boolean] = [undefined, false];
          try {
            for await (const frame of frames) {
              taskId ??= /^event: task_id\ndata: (.*)\n/.exec(frame)?.[1];
              isOver ||= /^event: (end|error)/.test(frame);
              yield frame;
            }
          } finally {
            if (!isOver) cancelled.add(taskId);
          }
        },
      };
    },
  },
  {
    name: 'a call continues after /delete',
    caughtBy: ['call/delete'],
    server() {
      const long = new Set<string>();
      return {
        handlers: {
          callTool(request, context) {
            const sid = request.header['X-Session-ID'];
            if (inputOf(request.body).ms === 30_000) long.add(sid);
            return operationHandlers.callTool(request, context);
          },
          deleteEpisode(request, context) {
            const sid = request.header['X-Session-ID'];
            return long.has(sid) ? { sid } : operationHandlers.deleteEpisode(request, context);
          },
        },
      };
    },
  },
];

type EventStream = AsyncIterable<{ readonly event: string; readonly data: string }>;

/** The same events; until a moment after the last one their end is waited for. */
async function* held(events: EventStream, running: Set<Promise<void>>): EventStream {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  running.add(ended);
  try {
    yield* events;
  } finally {
    running.delete(ended);
    setTimeout(end, 50);
  }
}

async function* refusal(): EventStream {
  yield { event: 'task_id', data: 'refused' };
  yield { event: 'error', data: 'another call of this session is running' };
}

async function* marking(busy: Set<string>, sid: string, events: EventStream): EventStream {
  busy.add(sid);
  for await (const event of events) {
    if (event.event !== 'task_id') busy.delete(sid);
    yield event;
  }
}
