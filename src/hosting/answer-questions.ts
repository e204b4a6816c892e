import type { MessagePort } from 'node:worker_threads';
import { abortable } from '../core/index.ts';
import type { Environment } from '../environment/index.ts';
import type { JSONValue } from '../protocol/index.ts';
import { serializeError, toErrorDescription } from './failure.ts';
import type { HostedEnvironment, HostedEpisode } from './hosted-environment.ts';
import { hostInline } from './inline.ts';
import type {
  EnvironmentInfo,
  HostMessage,
  OpenEpisodeParams,
  WorkerMessage,
  WorkerMethodName,
  WorkerMethodParams,
  WorkerMethodResult,
} from './messages.ts';
import { runInTrace } from './trace-context.ts';

interface WorkerOpenEpisode {
  readonly hosted: Promise<HostedEpisode>;
  readonly abort: AbortController;
}

type MessagePortLike = Pick<MessagePort, 'on' | 'postMessage'>;

type WorkerMethodHandlers = {
  readonly [Name in WorkerMethodName]: (
    parameters: WorkerMethodParams<Name>,
    id: number,
  ) => Promise<WorkerMethodResult<Name>>;
};

/** Lets a server in another thread use these environments; what it asks comes through the port, and so do the answers. */
export function serveWorkerRpc(port: MessagePortLike, environments: readonly Environment[]): void {
  const say = (message: WorkerMessage) => port.postMessage(message);
  const runs = new Map<number, AbortController>();
  const episodes = new Map<number, WorkerOpenEpisode>();
  const answers = answersOf(new Map(environments.map((one) => [one.name, one])), episodes, runs, say);
  let started: BigInt64Array;
  port.on('message', (message: HostMessage) => {
    if ('lastStarted' in message) {
      started = message.lastStarted;
      return;
    }
    if ('abortEpisode' in message) return episodes.get(message.abortEpisode)?.abort.abort(ENDED);
    if ('abortRun' in message) return runs.get(message.abortRun)?.abort(STOPPED);
    const { id, question, parameters, trace } = message;
    Atomics.store(started, 0, BigInt(id));
    runInTrace(trace, () => answers[question](parameters as never, id)).then(
      (result) => say({ id, result }),
      (error) => say({ id, failure: serializeError(error) }),
    );
  });
  say({ loaded: environments.map(factsOf) });
}

const factsOf = (environment: Environment): EnvironmentInfo => {
  const { name, description, splits, tools } = hostInline(environment);
  return { name, description, splits, tools, isolation: environment.isolation, hasReap: 'reap' in environment.hooks };
};

const ENDED = new Error('the session has ended');
const STOPPED = new DOMException('the call ran longer than it may', 'TimeoutError');

function answersOf(
  environments: ReadonlyMap<string, Environment>,
  episodes: Map<number, WorkerOpenEpisode>,
  runs: Map<number, AbortController>,
  say: (message: WorkerMessage) => void,
): WorkerMethodHandlers {
  const authored = (name: string) => environments.get(name) as Environment;
  const hosted = new Map([...environments].map(([name, environment]) => [name, hostInline(environment)]));
  const environment = (name: string) => hosted.get(name) as HostedEnvironment;
  const episode = (number: number) => (episodes.get(number) as WorkerOpenEpisode).hosted;
  return {
    countTasks: async (asked) => environment(asked.environment).countTasks(asked.split),
    task: async (asked) => environment(asked.environment).task(asked.split, asked.index),
    tasks: async (asked) => environment(asked.environment).tasks(asked.split, asked.start, asked.stop),
    async open(asked) {
      const abort = new AbortController();
      const { sessionId, secrets, task } = asked;
      const session = { sessionId, secrets, signal: abort.signal, ...told(asked, say) };
      const hosted = abortable(abort.signal, () => environment(asked.environment).open(task, session));
      episodes.set(asked.episode, { hosted, abort });
      await hosted.catch((error) => {
        episodes.delete(asked.episode);
        throw error;
      });
      return undefined;
    },
    async setup(asked) {
      const hosted = await episode(asked.episode);
      await hosted.setup();
      return [...hosted.tools].map(([name, { spec, concurrent, timeoutMs }]) => [
        name,
        { spec, concurrent, timeoutMs },
      ]);
    },
    prompt: async (asked) => (await episode(asked.episode)).prompt(),
    async run({ episode: number, tool, input, isLimited }, id) {
      const hosted = await episode(number);
      if (!isLimited) return hosted.run(tool, input);
      const limit = new AbortController();
      runs.set(id, limit);
      try {
        return await hosted.run(tool, input, limit.signal);
      } finally {
        runs.delete(id);
      }
    },
    async teardown(asked) {
      const hosted = await episodes.get(asked.episode)?.hosted;
      await hosted?.teardown();
      episodes.delete(asked.episode);
      return undefined;
    },
    async reap(asked) {
      await authored(asked.environment).hooks.reap?.(asked.handle);
      return undefined;
    },
    ping: async () => undefined,
  };
}

/** Those to whom an episode speaks are in the server's thread. */
const told = ({ episode }: OpenEpisodeParams, say: (message: WorkerMessage) => void) => ({
  warn: (warning: string) => say({ episode, warning }),
  onError: (what: string, error: unknown) => say({ episode, what, error: toErrorDescription(error) }),
  onHandle: (handle: JSONValue) => say({ episode, handle }),
  onLost: () => undefined,
});
