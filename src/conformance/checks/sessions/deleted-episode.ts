import type { Exchange, Probe, ProbeEpisode, ProbeResponse } from '../../probe/index.ts';
import type { TestTarget } from '../../target.ts';

export interface DeletedEpisode {
  readonly sid: string;
  /** What `/delete` answered. */
  readonly deleted: ProbeResponse;
  readonly exchanges: readonly Exchange[];
}

const episodes = new WeakMap<TestTarget, Promise<DeletedEpisode>>();

/** An episode that one check of a run has deleted, and that all may ask what is left of it. */
export async function deletedEpisode(
  probe: Probe,
): Promise<{ readonly episode: ProbeEpisode; readonly deleted: ProbeResponse }> {
  let made = episodes.get(probe.target);
  if (!made) {
    made = makeOne(probe);
    episodes.set(probe.target, made);
  }
  const { sid, deleted, exchanges } = await made;
  probe.includeEvidence(exchanges);
  return { episode: probe.episodeOf(sid), deleted };
}

async function makeOne(probe: Probe): Promise<DeletedEpisode> {
  const episode = await probe.episode();
  await episode.prompt();
  const deleted = await episode.delete();
  return { sid: episode.sid, deleted, exchanges: [...probe.exchanges] };
}
