import { busyTime } from '../profile/busy-time.ts';
import { type ProfiledLoad, profileLoad } from '../profile/profile-load.ts';
import { inRounds, type Measure } from './measure.ts';

const measure = 'profile';

/** What an owner of a profile counts as; the first that fits. */
const GROUPS: readonly (readonly [RegExp, string])[] = [
  [/^src\/(http|sse)$/, 'own code: the entrance and the answers (http, sse)'],
  [/^src\/(server|metrics|telemetry)$/, 'own code: sessions, calls and observers (server, metrics, telemetry)'],
  [/^(src|generated)\b/, 'own code: environments, protocol and all else'],
  [/^bench\b/, 'own code: of the bare server, and of our environment'],
  [/^node:internal\/stream_base_commons$/, 'writes to sockets'],
  [/^node:_http/, "Node's HTTP"],
  [/^node:inspector$/, 'the profiler'],
  [/^node: outside JavaScript$/, 'outside JavaScript'],
  [/^node:/, "Node's streams, events, queues and timers"],
  [/^gc$/, 'the collector'],
  [/./, 'packages and compiled validators'],
];

/** Where the CPU of a call and of an episode goes, in ours and in the bare server: what bounds the goals. */
export const profile: Measure = {
  name: measure,
  about: 'where the CPU of a call and of an episode goes, with 32 clients and a profiler that watches',
  run: async (bench) => {
    const runners = bench.contestants.filter(({ name }) => name === 'ours' || name === 'bare');
    for (const load of ['calls', 'episodes'] as const) {
      const plan = { rounds: bench.quick ? 1 : 3, runners, warmUp: false, limitSeconds: 60 };
      const settings: ProfiledLoad = { seconds: bench.quick ? 2 : 4, connections: 32, load };
      await inRounds(bench, `${measure}, ${load}`, plan, async (contestant) => {
        for (const [group, micros] of await microsByGroup(contestant, settings)) {
          const metric = { measure: `${measure}, ${load}`, name: `CPU us, ${group}`, better: 'less' } as const;
          bench.record(metric, contestant.name, micros);
        }
      });
    }
  },
};

async function microsByGroup(...load: Parameters<typeof profileLoad>): Promise<Map<string, number>> {
  const { profile: found, count, cpu } = await profileLoad(...load);
  const groups = new Map(GROUPS.map(([, group]) => [group, 0]));
  for (const { name, share } of busyTime(found).owners) {
    const group = GROUPS.find(([pattern]) => pattern.test(name))?.[1] ?? '';
    groups.set(group, (groups.get(group) ?? 0) + (share * cpu) / count);
  }
  return groups;
}
