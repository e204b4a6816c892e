import { randomUUID } from 'node:crypto';
import { isRecord } from '../../../core/index.ts';
import type { Probe, ProbeEpisode, ProbeResponse, RequestOptions } from '../../probe/index.ts';
import { assume } from '../../verdict.ts';

/** An id that no server has issued. */
export const unknownSid = (): string => randomUUID();

/** A key for the fixture's counts, which live as long as the server: no two runs may have the same. */
export const newKey = (): string => `check-${randomUUID()}`;

/** `/create`, and whatever comes of it. */
export const postCreate = (
  probe: Probe,
  sid: string,
  json: unknown,
  options: RequestOptions = {},
): Promise<ProbeResponse> => probe.send('POST', '/create', { ...options, sid, json });

/** Untestable where the server opens no episode of any task; a check of its own says so. */
export const assumeEpisodes = async (probe: Probe): Promise<void> => void (await probe.sharedEpisode());

/** Opens an episode with this body of `/create`. */
export async function openEpisode(probe: Probe, json: unknown): Promise<ProbeEpisode> {
  const sid = await probe.createSessionId();
  (await postCreate(probe, sid, json)).requireSuccess('/create');
  return probe.episodeOf(sid);
}

/** Where the environment has a task; the second of the split if there is one. */
export function pickTask({ environment }: Probe): { readonly split: string; readonly index: number } {
  const { name, split } = environment;
  assume(split, `environment '${name}' has no split with a task`);
  return { split: split.name, index: split.count !== undefined && split.count > 1 ? 1 : 0 };
}

/** The task there, as the server shows it. */
export async function fetchTask(probe: Probe, json: { readonly split: string; readonly index: number }) {
  const response = (await probe.send('POST', probe.path('task'), { json, follow: true })).requireSuccess('/task');
  const task = isRecord(response.json) ? response.json.task : undefined;
  assume(isRecord(task), `/task gave no task: ${response.summary}`);
  return task;
}

/** The sid in a JSON answer. */
export const sessionIdIn = ({ json }: ProbeResponse): unknown => (isRecord(json) ? json.sid : undefined);

/** The JSON of an episode's prompt; untestable if there is none. */
export async function requirePrompt(episode: ProbeEpisode): Promise<unknown> {
  return (await episode.prompt()).requireSuccess('/prompt').json;
}

/** How many episodes with a key were set up and torn down; a call of the fixture. */
export async function lifecycle(episode: ProbeEpisode, key: string) {
  const { metadata } = (await episode.call('lifecycle', { key })).output;
  assume(isRecord(metadata), 'the fixture gave no counts of setups and teardowns');
  return { setups: Number(metadata.setups), teardowns: Number(metadata.teardowns) };
}

const MAX_POLLS = 10;
const POLL_INTERVAL_MS = 500;

/** Calls that `teardownsOf` may make. */
export const MAX_TEARDOWN_CALLS = MAX_POLLS;

/** How many teardowns there were, as soon as there was one; 0 after five seconds without. */
export async function countTeardowns(probe: Probe, episode: ProbeEpisode, key: string): Promise<number> {
  for (let looks = 1; ; looks++) {
    const { teardowns } = await lifecycle(episode, key);
    if (teardowns > 0 || looks === MAX_POLLS) return teardowns;
    await probe.pause(POLL_INTERVAL_MS);
  }
}
