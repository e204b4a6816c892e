import { type ProfileLoad, recordProfile } from '../profile/record-profile.ts';
import { selfTime } from '../profile/self-time.ts';
import { type Measure, runRounds } from './measure.ts';

const measure = 'profile';

/** Groups of the owners in a profile; the first pattern that matches counts. */
const GROUPS: readonly (readonly [RegExp, string])[] = [
  [/^src\/(http|sse)$/, 'our code: requests and responses (http, sse)'],
  [/^src\/(server|metrics|telemetry)$/, 'our code: sessions, calls and observers (server, metrics, telemetry)'],
  [/^(src|generated)\b/, 'our code: environments, protocol and the rest'],
  [/^bench\b/, 'benchmark code: the bare server, and our environment'],
  [/^node:internal\/stream_base_commons$/, 'socket writes'],
  [/^node:_http/, "Node's HTTP"],
  [/^node:inspector$/, 'profiler'],
  [/^node: outside JavaScript$/, 'outside JavaScript'],
  [/^node:/, "Node's streams, events, queues and timers"],
  [/^gc$/, 'garbage collector'],
  [/./, 'packages and compiled validators'],
];

/** CPU time of a call and an episode by group of code, in our server and in the bare one. */
export const profile: Measure = {
  name: measure,
  about: 'CPU time of a call and an episode by part of the code, with 32 clients and a profiler',
  run: async (context) => {
    const runners = context.contestants.filter(({ name }) => name === 'ours' || name === 'bare');
    for (const load of ['calls', 'episodes'] as const) {
      const plan = { rounds: context.quick ? 1 : 3, runners, warmUp: false, timeoutSeconds: 60 };
      const settings: ProfileLoad = { seconds: context.quick ? 2 : 4, connections: 32, load };
      await runRounds(context, `${measure}, ${load}`, plan, async (contestant) => {
        for (const [group, micros] of await microsByGroup(contestant, settings)) {
          const metric = { measure: `${measure}, ${load}`, name: `CPU us, ${group}`, better: 'less' } as const;
          context.record(metric, contestant.name, micros);
        }
      });
    }
  },
};

async function microsByGroup(...load: Parameters<typeof recordProfile>): Promise<Map<string, number>> {
  const { profile: recorded, count, cpu } = await recordProfile(...load);
  const groups = new Map(GROUPS.map(([, group]) => [group, 0]));
  for (const { name, share } of selfTime(recorded).owners) {
    const group = GROUPS.find(([pattern]) => pattern.test(name))?.[1] ?? '';
    groups.set(group, (groups.get(group) ?? 0) + (share * cpu) / count);
  }
  return groups;
}
