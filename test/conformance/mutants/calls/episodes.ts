import { operationHandlers } from 'ors-kit/server';
import { eventsOf } from '../healthy.ts';
import type { Mutant } from '../mutant.ts';
import { callOf, changedOutputs, inputOf, sidOf } from './frames.ts';

export const episodeMutants: readonly Mutant[] = [
  {
    name: 'a reward of 0 is sent as null',
    caughtBy: ['call/reward-null', 'terminal/graded'],
    wire: () => ({ frames: changedOutputs(undefined, (output) => ({ ...output, reward: output.reward || null })) }),
  },
  {
    name: 'no reward is sent as 0',
    caughtBy: ['call/reward-null'],
    wire: () => ({ frames: changedOutputs(undefined, (output) => ({ ...output, reward: output.reward ?? 0 })) }),
  },
  {
    name: 'the rewards of an episode are added up',
    caughtBy: ['type/reward-own'],
    wire() {
      const sums = new Map<string, number>();
      return {
        frames: changedOutputs('reward', (output, call, request) => {
          const sid = sidOf(request);
          const { value } = inputOf(call);
          if (typeof value === 'number') sums.set(sid, (sums.get(sid) ?? 0) + value);
          return { ...output, reward: output.reward === null ? null : sums.get(sid) };
        }),
      };
    },
  },
  {
    name: 'a reward is sent again with the next call',
    caughtBy: ['type/reward-own'],
    wire() {
      const last = new Map<string, number>();
      return {
        frames: changedOutputs(undefined, (output, _call, request) => {
          const before = last.get(sidOf(request));
          if (output.reward !== null) last.set(sidOf(request), output.reward);
          return { ...output, reward: output.reward ?? before ?? null };
        }),
      };
    },
  },
  {
    name: 'the finished true of a tool is lost',
    caughtBy: ['type/finished'],
    wire: () => ({ frames: changedOutputs('finish', (output) => ({ ...output, finished: false })) }),
  },
  {
    name: 'tools still run after finished true',
    caughtBy: ['call/after-finished', 'reason/finished', 'terminal/once'],
    server: () => ({
      handlers: {
        callTool(request, context) {
          const session = context.sessions.find(request.header['X-Session-ID']);
          if (session) session.isFinished = false;
          return operationHandlers.callTool(request, context);
        },
      },
    }),
  },
  {
    name: 'finished true tears the episode down',
    caughtBy: ['call/finished-keeps-session', 'group/after-finish'],
    server: () => ({
      handlers: {
        async callTool(request, context) {
          const events = eventsOf(await operationHandlers.callTool(request, context));
          const { sessions } = context;
          const sid = request.header['X-Session-ID'];
          return (async function* () {
            for await (const event of events) {
              const isEnd = request.body.name === 'finish' && event.data.includes('"finished":true');
              if (isEnd) await sessions.delete(sid, request.caller);
              yield event;
            }
          })();
        },
      },
    }),
  },
  {
    name: 'a prompt changes the state of the episode',
    caughtBy: ['call/only-calls-change'],
    server: () => ({
      handlers: {
        async getPrompt(request, context) {
          const episode = await context.sessions.get(request.header['X-Session-ID'], request.caller).ready;
          await episode.run('count', { by: 1 });
          return operationHandlers.getPrompt(request, context);
        },
      },
    }),
  },
];

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
            const events = eventsOf(await operationHandlers.callTool(request, context));
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
            const events = eventsOf(await operationHandlers.callTool(request, context));
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

/** Passes events on, and delays the end of the stream. */
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
