import { operationHandlers } from 'ors-kit/server';
import { eventsOf } from '../healthy.ts';
import type { Wire, WireRequest } from '../wire.ts';
import { type CallBody, callFrames, callOf, eventOf, sidOf, unknown, withBody } from './frames.ts';

type CallTool = typeof operationHandlers.callTool;
type Frames = NonNullable<Wire['frames']>;

/** Runs the tool again for a repeated call. */
export const runOnceMore: CallTool = async (request, context) => {
  const stream = eventsOf(await operationHandlers.callTool(request, context));
  if (!request.body.task_id) return stream;
  const { task_id, ...body } = request.body;
  return (async function* () {
    for await (const event of stream) {
      if (event.event === 'end') {
        for await (const _event of eventsOf(await operationHandlers.callTool({ ...request, body }, context)));
      }
      yield event;
    }
  })();
};

/** Passes the streams of calls on, and calls back with their task_ids. */
const telling = (tell: (taskId: string, request: WireRequest) => void): Frames =>
  callFrames(async function* (frames, request) {
    for await (const frame of frames) {
      const { event, data } = eventOf(frame) ?? {};
      if (event === 'task_id' && data !== undefined) tell(data, request);
      yield frame;
    }
  });

/** Runs equal calls of `echo` in a session only once. */
export function cachedEchoes(): Wire {
  const known = new Map<string, string>();
  const keyOf = (request: WireRequest) => `${sidOf(request)} ${request.body}`;
  return {
    request: (request) => {
      const [body, task_id] = [callOf(request), known.get(keyOf(request))];
      return body?.name === 'echo' && task_id !== undefined ? withBody(request, { ...body, task_id }) : request;
    },
    frames: telling((taskId, request) => known.set(keyOf(request), taskId)),
  };
}

/** Replaces requests with a known task_id. */
export function firstBodies(change: (first: CallBody, body: CallBody) => object): Wire {
  const known = new Map<string, CallBody>();
  return {
    request: (request) => {
      const body = callOf(request);
      const first = known.get(body?.task_id ?? '');
      return body && first ? withBody(request, change(first, body)) : request;
    },
    frames: telling((taskId, request) => {
      const body = callOf(request);
      if (body && !body.task_id) known.set(taskId, body);
    }),
  };
}

/** Accepts every task_id in every session. */
export function sharedIds(): Wire {
  const owners = new Map<string, string>();
  return {
    request: (request) => {
      const owner = owners.get(callOf(request)?.task_id ?? '');
      return owner ? { ...request, headers: { ...request.headers, 'x-session-id': owner } } : request;
    },
    frames: telling((taskId, request) => void (owners.has(taskId) || owners.set(taskId, sidOf(request)))),
  };
}

/** Starts a call for an id of another session. */
export function foreignIds(): Wire {
  const owners = new Map<string, string>();
  return {
    request: (request) => {
      const body = callOf(request);
      const owner = owners.get(body?.task_id ?? '');
      return owner !== undefined && owner !== sidOf(request)
        ? withBody(request, { ...body, task_id: undefined })
        : request;
    },
    frames: telling((taskId, request) => void (owners.has(taskId) || owners.set(taskId, sidOf(request)))),
  };
}

/** Runs the tool for forged ids, under a new id. */
export function forgedIds(isOfServer: RegExp): Wire {
  const issued = new Set<string>();
  return {
    request: (request) => {
      const body = callOf(request);
      const id = body?.task_id ?? '';
      return isOfServer.test(id) && !issued.has(id) ? withBody(request, { ...body, task_id: undefined }) : request;
    },
    frames: telling((taskId) => void issued.add(taskId)),
  };
}

/** Forgets a sleep of two seconds whose connection breaks. */
export function lostCalls(): Wire {
  const lost = new Set<string>();
  return {
    request: (request) => {
      const taskId = callOf(request)?.task_id ?? '';
      return lost.has(taskId) ? unknown(taskId) : request;
    },
    frames: callFrames(async function* (frames, request) {
      const isMeant = /"sleep".*"ms":2000\b/.test(String(request.body));
      let [taskId, isWhole] = ['', !isMeant];
      try {
        for await (const frame of frames) {
          const { event, data } = eventOf(frame) ?? {};
          if (event === 'task_id') taskId = data ?? '';
          if (event === 'end' || event === 'error') isWhole = true;
          yield frame;
        }
      } finally {
        if (!isWhole) lost.add(taskId);
      }
    }),
  };
}

/** Ends the previous stream of a call when another request joins it. */
export function oneReader(): Wire {
  const takeOver = new Map<string, () => void>();
  return {
    request: (request) => {
      takeOver.get(callOf(request)?.task_id ?? '')?.();
      return request;
    },
    frames: callFrames(async function* (frames) {
      const all = frames[Symbol.asyncIterator]();
      let take: () => void = () => undefined;
      const taken = new Promise<{ readonly done: true }>((resolve) => {
        take = () => resolve({ done: true });
      });
      while (true) {
        const next = await Promise.race([all.next(), taken]);
        if (next.done) return void all.return?.();
        const { event, data } = eventOf(next.value) ?? {};
        if (event === 'task_id' && data !== undefined) takeOver.set(data, take);
        yield next.value;
      }
    }),
  };
}

/** Changes requests for calls that ended longer ago than a time. */
export function afterwards(
  ms: number,
  change: (request: WireRequest) => ReturnType<NonNullable<Wire['request']>>,
): Wire {
  const endedAt = new Map<string, number>();
  return {
    request: (request) => {
      const at = endedAt.get(callOf(request)?.task_id ?? '');
      return at !== undefined && performance.now() - at > ms ? change(request) : request;
    },
    frames: callFrames(async function* (frames) {
      let taskId = '';
      for await (const frame of frames) {
        const { event, data } = eventOf(frame) ?? {};
        if (event === 'task_id') taskId = data ?? '';
        if (event === 'end' && !endedAt.has(taskId)) endedAt.set(taskId, performance.now());
        yield frame;
      }
    }),
  };
}
