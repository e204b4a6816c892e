import { poll, settlesWithin } from '../../core/index.ts';
import { type Environment, Episode, getTaskAt } from '../../environment/index.ts';
import { describeThrown } from '../../hosting/index.ts';
import { type JSONObject, joinText } from '../../protocol/index.ts';
import type { LifecycleEvidence } from '../evidence.ts';
import type { ValidationSettings } from './options.ts';
import type { TrialInputRegistry } from './trials.ts';

const EPISODES = 3;
/** Longest wait for resources to be released: a busy machine takes seconds to end a child process and its pipes. */
const RELEASE_TIMEOUT_MS = 4_000;
const POLL_MS = 20;
/** As long as a server waits for tools that should stop, before teardown. */
const GRACE_MS = 1_000;
const MAX_TEARDOWN_MS = 20_000;

type LifecycleEnding = 'played to the end' | 'deleted during a call' | 'deleted during setup';
const ENDINGS: readonly LifecycleEnding[] = ['played to the end', 'deleted during a call', 'deleted during setup'];

interface LifecycleContext {
  readonly environment: Environment;
  readonly split: string;
  readonly index: number;
  readonly task: JSONObject;
  readonly trials: TrialInputRegistry;
  readonly terms: ValidationSettings;
}

/**
 * Begins and ends episodes of one task without a server, so that nothing but the environment holds anything: to their end,
 * and deleted in the middle of things.
 */
export async function observeLifecycle(
  environment: Environment,
  split: string,
  index: number,
  trials: TrialInputRegistry,
  terms: ValidationSettings,
): Promise<LifecycleEvidence[]> {
  const task = await getTaskAt(environment, split, index);
  const scene: LifecycleContext = { environment, split, index, task, trials, terms };
  const lives: LifecycleEvidence[] = [];
  for (const how of ENDINGS) lives.push(await liveThrough(scene, how));
  return lives;
}

async function liveThrough(scene: LifecycleContext, how: LifecycleEnding): Promise<LifecycleEvidence> {
  const { split, index, terms } = scene;
  const failures: string[] = [];
  // Resources of the first episode may be shared by all, such as a connection pool.
  await episode(scene, how, failures);
  const before = resources();
  for (let count = 0; count < EPISODES; count++) {
    terms.signal.throwIfAborted();
    await episode(scene, how, failures);
  }
  return {
    how,
    split,
    index,
    failures: [...new Set(failures)],
    leakedResources: await leftSince(before, terms),
    episodes: EPISODES,
  };
}

async function episode(scene: LifecycleContext, how: LifecycleEnding, failures: string[]): Promise<void> {
  const { environment, task, terms } = scene;
  const { timeoutMs, signal } = terms;
  const abort = new AbortController();
  const one = new Episode(environment, task, {
    sessionId: crypto.randomUUID(),
    secrets: terms.secrets,
    signal: abort.signal,
    warn: () => undefined,
    onError: (what, error) => void failures.push(`${what} threw ${describeThrown(error, 'message')}`),
  });
  const setup = (async () => one.setup())();
  let running: Promise<unknown> = Promise.resolve();
  if (how !== 'deleted during setup' && (await isReady(setup, terms))) {
    running = how === 'played to the end' ? playOut(scene, one, failures) : firstCall(scene, one);
    running.catch(() => undefined);
    if (how === 'played to the end') await settlesWithin(timeoutMs, running, { signal }).catch(() => undefined);
  }
  abort.abort(new Error('the episode is over'));
  await settlesWithin(GRACE_MS, running, { signal }).catch(() => undefined);
  const teardownMs = Math.min(timeoutMs, MAX_TEARDOWN_MS);
  const isTornDown = await settlesWithin(teardownMs, one.teardown());
  if (!isTornDown) failures.push(`teardown did not end within ${teardownMs / 1000} s`);
  await settlesWithin(timeoutMs, setup, { signal }).catch(() => undefined);
}

const isReady = async (setup: Promise<void>, { timeoutMs, signal }: ValidationSettings): Promise<boolean> => {
  try {
    return await settlesWithin(timeoutMs, setup, { signal });
  } catch {
    return false;
  }
};

/** Plays by `solve`, or calls each tool once if there is none. Other rules report failures. */
async function playOut(scene: LifecycleContext, one: Episode, failures: string[]): Promise<void> {
  const { environment, task, trials } = scene;
  const prompt = await one.prompt();
  const tools = Array.from(one.tools.values(), ({ spec }) => spec);
  const call = async (name: string, input: JSONObject = {}) => {
    const run = await one.run(name, structuredClone(input));
    if (!run.ok) throw new Error(run.reason);
    return { ...run.output, text: joinText(run.output.blocks) };
  };
  const { solve } = environment.hooks;
  if (solve) return void (await solve({ task: task as never, prompt, tools, call } as never));
  for (const { name } of tools) {
    const { minimal: min } = trials.inputsFor(name);
    if (min && failures.length === 0) await call(name, min.value).catch(() => undefined);
  }
}

/** Starts a call of the first tool that has a valid input, without waiting for it. */
async function firstCall({ trials }: LifecycleContext, one: Episode): Promise<unknown> {
  for (const name of one.tools.keys()) {
    const { minimal: min } = trials.inputsFor(name);
    if (min) return one.run(name, structuredClone(min.value));
  }
  return undefined;
}

/** Counts the resources that keep the process alive, by kind. */
function resources(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** Kinds of resources that have grown by at least one per episode, after everything has had time to end. */
async function leftSince(
  before: ReadonlyMap<string, number>,
  { timeoutMs }: ValidationSettings,
): Promise<LifecycleEvidence['leakedResources']> {
  let left: LifecycleEvidence['leakedResources'] = [];
  const isSettled = () => {
    left = [...resources()]
      .map(([kind, count]) => ({ kind, count: count - (before.get(kind) ?? 0) }))
      .filter(({ count }) => count >= EPISODES);
    return left.length === 0 || undefined;
  };
  await poll(isSettled, { everyMs: POLL_MS, timeoutMs: Math.min(timeoutMs, RELEASE_TIMEOUT_MS) });
  return left;
}
