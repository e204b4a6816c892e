import { countBy, poll, settlesWithin } from '../../core/index.ts';
import { type Environment, Episode, getTaskAt, listTools } from '../../environment/index.ts';
import { describeThrown } from '../../hosting/index.ts';
import { type JSONObject, joinText, terminalToolInput } from '../../protocol/index.ts';
import type { LifecycleEvidence } from '../evidence.ts';
import type { ValidationSettings } from '../options.ts';
import type { TrialInputRegistry } from './trial-inputs.ts';

const EPISODES = 3;
/** Maximum wait for resources to be released: a busy machine takes seconds to end a child process and its pipes. */
const RELEASE_TIMEOUT_MS = 4_000;
const POLL_MS = 20;
/** Time for running tools to stop before teardown, as in a server. */
const GRACE_MS = 1_000;
const MAX_TEARDOWN_MS = 20_000;

const ENDINGS = ['played to the end', 'deleted during a call', 'deleted during setup'] as const;
type LifecycleEnding = (typeof ENDINGS)[number];

interface LifecycleContext {
  readonly environment: Environment;
  readonly split: string;
  readonly index: number;
  readonly task: JSONObject;
  readonly trials: TrialInputRegistry;
  readonly settings: ValidationSettings;
}

/**
 * Plays and deletes episodes of one task without a server, so that every remaining resource belongs to the environment.
 */
export async function observeLifecycle(position: Omit<LifecycleContext, 'task'>): Promise<LifecycleEvidence[]> {
  const { environment, split, index } = position;
  const context = { ...position, task: await getTaskAt(environment, split, index) };
  const lifecycles: LifecycleEvidence[] = [];
  for (const ending of ENDINGS) lifecycles.push(await observeEnding(context, ending));
  return lifecycles;
}

async function observeEnding(context: LifecycleContext, ending: LifecycleEnding): Promise<LifecycleEvidence> {
  const { split, index, settings } = context;
  const failures: string[] = [];
  // All episodes may share resources of the first one, such as a connection pool.
  await playAndDelete(context, ending, failures);
  const before = countResources();
  for (let count = 0; count < EPISODES; count++) {
    settings.signal.throwIfAborted();
    await playAndDelete(context, ending, failures);
  }
  return {
    how: ending,
    split,
    index,
    failures: [...new Set(failures)],
    leakedResources: await findLeakedResources(before, settings),
    episodes: EPISODES,
  };
}

async function playAndDelete(context: LifecycleContext, ending: LifecycleEnding, failures: string[]): Promise<void> {
  const { environment, task, settings } = context;
  const { timeoutMs, signal, secrets } = settings;
  const abort = new AbortController();
  const episode = new Episode(environment, task, {
    sessionId: crypto.randomUUID(),
    secrets,
    signal: abort.signal,
    warn: () => undefined,
    onError: (what, error) => void failures.push(`${what} threw ${describeThrown(error, 'message')}`),
  });
  const setup = (async () => episode.setup())();
  let running: Promise<unknown> = Promise.resolve();
  if (ending !== 'deleted during setup' && (await isReady(setup, settings))) {
    const playsToEnd = ending === 'played to the end';
    running = playsToEnd ? playToEnd(context, episode, failures) : startFirstCall(context, episode);
    running.catch(() => undefined);
    if (playsToEnd) await settlesWithin(timeoutMs, running, { signal }).catch(() => undefined);
  }
  abort.abort(new Error('the episode is over'));
  await settlesWithin(GRACE_MS, running, { signal }).catch(() => undefined);
  const teardownMs = Math.min(timeoutMs, MAX_TEARDOWN_MS);
  const isTornDown = await settlesWithin(teardownMs, episode.teardown());
  if (!isTornDown) failures.push(`teardown did not end within ${teardownMs / 1000} s`);
  await settlesWithin(timeoutMs, setup, { signal }).catch(() => undefined);
}

const isReady = (setup: Promise<void>, { timeoutMs, signal }: ValidationSettings): Promise<boolean> =>
  settlesWithin(timeoutMs, setup, { signal }).catch(() => false);

/** Plays with `solve`, or calls each tool once without it. Other rules report failures. */
async function playToEnd(context: LifecycleContext, episode: Episode, failures: string[]): Promise<void> {
  const { environment, task, trials } = context;
  const prompt = await episode.prompt();
  const { tools, terminalTool } = listTools(episode.tools.values());
  const call = async (name: string, input: JSONObject = {}) => {
    const run = await episode.call(name, structuredClone(input));
    if (!run.ok) throw new Error(run.reason);
    return { ...run.output, text: joinText(run.output.blocks) };
  };
  const answer = async (message = '') => {
    if (!terminalTool) throw new Error('the environment has no terminal tool');
    return call(terminalTool.name, terminalToolInput(terminalTool, message));
  };
  const { solve } = environment.hooks;
  if (solve) return void (await solve({ task: task as never, prompt, tools, call, answer } as never));
  for (const name of episode.tools.keys()) {
    const { minimal } = trials.inputsFor(name);
    if (minimal && failures.length === 0) await call(name, minimal.value).catch(() => undefined);
  }
}

/** Starts a call of the first tool that has a valid input, without waiting for it. */
async function startFirstCall({ trials }: LifecycleContext, episode: Episode): Promise<unknown> {
  for (const name of episode.tools.keys()) {
    const { minimal } = trials.inputsFor(name);
    if (minimal) return episode.call(name, structuredClone(minimal.value));
  }
  return undefined;
}

/** Counts the resources that keep the process alive, by kind. */
const countResources = (): ReadonlyMap<string, number> => countBy(process.getActiveResourcesInfo(), (kind) => kind);

/** Returns the kinds of resources that have grown by at least one per episode, after a wait for their release. */
async function findLeakedResources(
  before: ReadonlyMap<string, number>,
  { timeoutMs }: ValidationSettings,
): Promise<LifecycleEvidence['leakedResources']> {
  let leaked: LifecycleEvidence['leakedResources'] = [];
  const isReleased = () => {
    leaked = [...countResources()]
      .map(([kind, count]) => ({ kind, count: count - (before.get(kind) ?? 0) }))
      .filter(({ count }) => count >= EPISODES);
    return leaked.length === 0 || undefined;
  };
  await poll(isReleased, { everyMs: POLL_MS, timeoutMs: Math.min(timeoutMs, RELEASE_TIMEOUT_MS) });
  return leaked;
}
