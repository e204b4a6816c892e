import { randomUUID } from 'node:crypto';
import { fieldsOf, isRecord, previewJson } from '../../core/index.ts';
import { assume } from '../assertions.ts';
import type { Probe, ProbeEpisode, ProbeResponse, RequestOptions } from '../probe/index.ts';

/** Returns a session id that no server has issued. */
export const unknownSid = (): string => randomUUID();

/** Returns a key for the counters of the fixture, which live as long as the server and must not be shared by runs. */
export const newKey = (): string => `check-${randomUUID()}`;

/** Sends `/create`, and resolves with the response. */
export const postCreate = (
  probe: Probe,
  sid: string,
  json: unknown,
  options: RequestOptions = {},
): Promise<ProbeResponse> => probe.send('POST', '/create', { ...options, sid, json });

/** Assumes that the server can open an episode, which has its own check. */
export const assumeEpisodes = async (probe: Probe): Promise<void> => void (await probe.sharedEpisode());

/** Opens an episode with this body of `/create`. @throws UntestableError if that fails */
export async function openEpisode(probe: Probe, json: unknown): Promise<ProbeEpisode> {
  const sid = await probe.createSessionId();
  (await postCreate(probe, sid, json)).requireSuccess('/create');
  return probe.episodeOf(sid);
}

/** Returns the position of a task: the second of the split if there is one, else the first. */
export function pickTask({ environment }: Probe): { readonly split: string; readonly index: number } {
  const { name, split } = environment;
  assume(split, `environment '${name}' has no split with a task`);
  return { split: split.name, index: split.count !== undefined && split.count > 1 ? 1 : 0 };
}

/** Fetches the public task at a position. */
export async function fetchTask(probe: Probe, json: { readonly split: string; readonly index: number }) {
  const response = (await probe.discover('task', json)).requireSuccess('/task');
  const { task } = fieldsOf(response.json);
  assume(isRecord(task), `/task returned no task: ${response.summary}`);
  return task;
}

/** Returns the sid in a JSON response. */
export const sessionIdIn = ({ json }: ProbeResponse): unknown => fieldsOf(json).sid;

/** Fetches the prompt of an episode. @throws UntestableError if that fails */
export async function requirePrompt(episode: ProbeEpisode): Promise<unknown> {
  return (await episode.prompt()).requireSuccess('/prompt').json;
}

/** Returns the number of setups and teardowns of episodes with this key; makes a call of the fixture. */
export async function lifecycle(episode: ProbeEpisode, key: string) {
  const { metadata } = (await episode.call('lifecycle', { key })).output;
  const { setups, teardowns } = fieldsOf(metadata);
  const isCounted = typeof setups === 'number' && typeof teardowns === 'number';
  assume(isCounted, `'lifecycle' returned no counts of setups and teardowns: its metadata is ${previewJson(metadata)}`);
  return { setups, teardowns };
}

export const NO_SUCH_TOOL = 'conformance_no_such_tool';

/** Returns the text of an error response without these tool names. */
export const errorText = (response: ProbeResponse, names: readonly string[]): string =>
  names.reduce((text, name) => text.replaceAll(name, ''), `${response.status} ${response.failure}`);

/** Maximum number of calls of `countTeardowns`. */
export const MAX_TEARDOWN_CALLS = 10;
const POLL_INTERVAL_MS = 500;

/** Returns the number of teardowns as soon as there is one; 0 after five seconds. */
export async function countTeardowns(probe: Probe, episode: ProbeEpisode, key: string): Promise<number> {
  for (let polls = 1; ; polls++) {
    const { teardowns } = await lifecycle(episode, key);
    if (teardowns > 0 || polls === MAX_TEARDOWN_CALLS) return teardowns;
    await probe.pause(POLL_INTERVAL_MS);
  }
}
