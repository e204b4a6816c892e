import {
  EpisodeExistsError,
  type EpisodeJournal,
  type EpisodeKey,
  type Journal,
  type JournaledEpisode,
  type ResumedEpisode,
} from '../server/index.ts';

type ResumedCall = ResumedEpisode['calls'][number];

/** An episode in a MemoryJournal. */
export interface RecordedEpisode {
  readonly episode: JournaledEpisode;
  /** Calls in the order in which they began, each with the snapshot after it, and its position among those that ended. */
  readonly calls: readonly (ResumedCall & { readonly snapshot?: string | undefined; readonly ended?: number })[];
}

/** A journal of one server in memory. Keeps episodes after their end. */
export class MemoryJournal implements Journal {
  readonly #episodes = new Map<string, RecordedEpisode>();

  /** @param episodes episodes that sessions of their ids continue. */
  constructor(episodes: readonly RecordedEpisode[] = []) {
    for (const recorded of episodes) this.#episodes.set(recorded.episode.sid, recorded);
  }

  episodeOf(sid: string): RecordedEpisode | undefined {
    return this.#episodes.get(sid);
  }

  async create(episode: JournaledEpisode): Promise<EpisodeJournal> {
    const { sid } = episode;
    if (this.#episodes.has(sid)) throw new EpisodeExistsError(`the journal has an episode ${sid}`);
    this.#episodes.set(sid, { episode, calls: [] });
    return this.#journalOf(sid);
  }

  async resume({ sid }: EpisodeKey): Promise<ResumedEpisode | undefined> {
    const recorded = this.#episodes.get(sid);
    if (!recorded) return undefined;
    const snapshot = recorded.calls.findLast((call) => call.snapshot !== undefined)?.snapshot;
    return { ...recorded, snapshot, journal: this.#journalOf(sid) };
  }

  async close(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {}

  #journalOf(sid: string): EpisodeJournal {
    const update = (change: (calls: RecordedEpisode['calls']) => RecordedEpisode['calls']) => {
      const recorded = this.#episodes.get(sid);
      if (recorded) this.#episodes.set(sid, { ...recorded, calls: change(recorded.calls) });
    };
    return {
      addPrompts: async (prompts) => {
        const recorded = this.#episodes.get(sid);
        if (!recorded) return;
        const { episode } = recorded;
        const added = { ...episode, prompts: { ...episode.prompts, ...prompts } };
        this.#episodes.set(sid, { ...recorded, episode: added });
      },
      begin: async (call) => update((calls) => [...calls, { ...call, outcome: undefined }]),
      repeat: async ({ number }) =>
        update((calls) => calls.map((call) => (call.number === number ? { ...call, isRepeated: true } : call))),
      end: async (number, outcome, snapshot) =>
        update((calls) => {
          const ended = calls.filter((call) => call.outcome).length + 1;
          return calls.map((call) => (call.number === number ? { ...call, outcome, snapshot, ended } : call));
        }),
      fork: async (forked, at, recordOf) => {
        if (this.#episodes.has(forked)) throw new EpisodeExistsError(`the journal has an episode ${forked}`);
        // Episodes are never removed.
        const { episode, calls } = this.#episodes.get(sid) as RecordedEpisode;
        const until = at === undefined ? Infinity : calls.find(({ taskId }) => taskId === at)?.ended;
        if (until === undefined) return undefined;
        const copied = calls.filter(({ ended }) => ended !== undefined && ended <= until);
        const record = recordOf(episode.record, copied.length);
        this.#episodes.set(forked, {
          episode: { ...episode, sid: forked, record, forkedAt: at ?? null },
          calls: copied,
        });
        return this.resume({ ...episode, sid: forked });
      },
      forkedAt: async (forked) => this.#episodes.get(forked)?.episode.forkedAt,
      assertOwned: () => undefined,
      flush: async () => undefined,
      release: async () => undefined,
      remove: async () => undefined,
    };
  }
}
