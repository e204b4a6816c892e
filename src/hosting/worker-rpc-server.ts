import type { MessagePort } from 'node:worker_threads';
import { type Awaitable, abortable } from '../core/index.ts';
import type { Environment } from '../environment/index.ts';
import type { JSONValue } from '../protocol/index.ts';
import { runInTrace } from '../telemetry/index.ts';
import { serializeError, toErrorDescription } from './errors.ts';
import type { HostedEnvironment, HostedEpisode } from './hosted-environment.ts';
import { describeEnvironment, hostInline } from './inline.ts';
import type {
  HostMessage,
  OpenEpisodeParams,
  WorkerMessage,
  WorkerMethodName,
  WorkerMethodParams,
  WorkerMethodResult,
} from './worker-messages.ts';

type MessagePortLike = Pick<MessagePort, 'on' | 'postMessage'>;

/** The side of the worker: serves environments to a server in another thread, through a message port. */
export function serveWorkerRpc(port: MessagePortLike, environments: readonly Environment[]): void {
  const send = (message: WorkerMessage) => port.postMessage(message);
  const runs = new Map<number, AbortController>();
  const episodes = new Map<number, OpenEpisode>();
  const methods = createMethods(new Map(environments.map((one) => [one.name, one])), episodes, runs, send);
  let lastStarted: BigInt64Array;
  port.on('message', (message: HostMessage) => {
    if ('lastStarted' in message) {
      lastStarted = message.lastStarted;
      return;
    }
    if ('abortEpisode' in message) return episodes.get(message.abortEpisode)?.abort.abort(SESSION_ENDED);
    if ('abortRun' in message) return runs.get(message.abortRun)?.abort(CALL_TIMED_OUT);
    const { id, method, params, trace } = message;
    // Written before author code runs, which may block this thread.
    Atomics.store(lastStarted, 0, BigInt(id));
    runInTrace(trace, () => methods[method](params as never, id)).then(
      (result) => send({ id, result }),
      (error) => send({ id, failure: serializeError(error) }),
    );
  });
  send({ loaded: environments.map(describeEnvironment) });
}

interface OpenEpisode {
  readonly hosted: Promise<HostedEpisode>;
  readonly abort: AbortController;
}

const SESSION_ENDED = new Error('the session has ended');
const CALL_TIMED_OUT = new DOMException('the call ran longer than it may', 'TimeoutError');

type WorkerMethodHandlers = {
  readonly [Name in WorkerMethodName]: (
    params: WorkerMethodParams<Name>,
    id: number,
  ) => Promise<WorkerMethodResult<Name>>;
};

function createMethods(
  environments: ReadonlyMap<string, Environment>,
  episodes: Map<number, OpenEpisode>,
  runs: Map<number, AbortController>,
  send: (message: WorkerMessage) => void,
): WorkerMethodHandlers {
  const hosted = new Map([...environments].map(([name, environment]) => [name, hostInline(environment)]));
  // The server asks only for environments and episodes that exist here.
  const environment = (name: string) => hosted.get(name) as HostedEnvironment;
  const episode = (number: number) => (episodes.get(number) as OpenEpisode).hosted;
  /** Runs work that the server can abort by the id of its call. */
  const abortableRun = async <T>(id: number, work: (signal: AbortSignal) => Awaitable<T>): Promise<T> => {
    const limit = new AbortController();
    runs.set(id, limit);
    try {
      return await work(limit.signal);
    } finally {
      runs.delete(id);
    }
  };
  return {
    countTasks: async (params) => environment(params.environment).countTasks(params.split),
    task: async (params) => environment(params.environment).task(params.split, params.index),
    tasks: async (params) => environment(params.environment).tasks(params.split, params.start, params.stop),
    async open(params) {
      const abort = new AbortController();
      const { sessionId, secrets, toolset, conditions, task } = params;
      const { signal } = abort;
      const session = { sessionId, secrets, toolset, conditions, signal, ...sessionCallbacks(params, send) };
      const hosted = abortable(abort.signal, () => environment(params.environment).open(task, session));
      episodes.set(params.episode, { hosted, abort });
      await hosted.catch((error) => {
        episodes.delete(params.episode);
        throw error;
      });
      return undefined;
    },
    async setup(params) {
      const hosted = await episode(params.episode);
      await hosted.setup(params.saved);
      return [...hosted.tools].map(([name, { spec, mode, terminal, timeoutMs, idempotent }]) => [
        name,
        { spec, mode, terminal, timeoutMs, idempotent },
      ]);
    },
    prompt: async (params) => (await episode(params.episode)).prompt(),
    messages: async (params) => (await episode(params.episode)).messages(),
    async scoreGroup({ episode: number, candidates }, id) {
      const hosted = await episode(number);
      return abortableRun(id, (signal) => hosted.compare(candidates, signal));
    },
    snapshot: async (params) => (await episode(params.episode)).snapshot(),
    async run({ episode: number, tool, input, isLimited, conditions }, id) {
      const hosted = await episode(number);
      const run = (signal?: AbortSignal) => hosted.run(tool, input, signal, conditions);
      return isLimited ? abortableRun(id, run) : run();
    },
    async teardown(params) {
      const hosted = await episodes.get(params.episode)?.hosted;
      await hosted?.teardown();
      episodes.delete(params.episode);
      return undefined;
    },
    async reap(params) {
      await environments.get(params.environment)?.hooks.reap?.(params.handle);
      return undefined;
    },
    ping: async () => undefined,
  };
}

/** Forwards the callbacks of an episode to its session in the thread of the server. */
const sessionCallbacks = ({ episode }: OpenEpisodeParams, send: (message: WorkerMessage) => void) => ({
  warn: (warning: string) => send({ episode, warning }),
  onError: (label: string, error: unknown) => send({ episode, label, error: toErrorDescription(error) }),
  onHandle: (handle: JSONValue) => send({ episode, handle }),
  onLost: () => undefined,
});
