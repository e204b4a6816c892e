import { clientNames, findClients } from './clients/client-programs.ts';
import { measureEpisodeRates } from './clients/episodes.ts';
import { measureManyAtOnce } from './clients/many-at-once.ts';
import { measureRollouts, rolloutNames } from './clients/rollouts.ts';
import { showProgress } from './command-line.ts';
import { calls } from './measures/calls.ts';
import { endurance } from './measures/endurance.ts';
import { episodes } from './measures/episodes.ts';
import { growth } from './measures/growth.ts';
import { hello } from './measures/hello.ts';
import { journal, journalNames } from './measures/journal.ts';
import { largeResult } from './measures/large-result.ts';
import { createContext, type Measure } from './measures/measure.ts';
import { mixed } from './measures/mixed.ts';
import { profile } from './measures/profile.ts';
import { resume } from './measures/resume.ts';
import { sessions } from './measures/sessions.ts';
import { start } from './measures/start.ts';
import { streams } from './measures/streams.ts';
import type { Contestant } from './process/contestants.ts';
import type { Results } from './results.ts';

export interface RunContext {
  contestants: readonly Contestant[];
  quick: boolean;
}

/** One measure of a run: of servers, or of clients. */
export interface Part {
  name: string;
  about: string;
  isExtra?: boolean;
  /** Names of the contestants, in the order of the table. */
  columns(context: RunContext): readonly string[];
  run(context: RunContext, results: Results): Promise<void>;
}

const partOf = (measure: Measure): Part => ({
  ...measure,
  columns: ({ contestants }) => contestants.map(({ name }) => name),
  run: (context, results) => measure.run(createContext(context, results, showProgress)),
});

/** A measure whose contestants are not the servers. */
const partWith = (columns: readonly string[], measure: Measure): Part => ({
  ...partOf(measure),
  columns: () => columns,
});

const clients: Part = {
  name: 'clients',
  about: 'our client, the generated one and the Python clients: sequential episodes, and many that wait at once',
  columns: () => clientNames,
  run: async ({ quick }, results) => {
    const { programs, missing } = findClients(clientNames);
    for (const line of missing) results.notes.add(line);
    const deadline = performance.now() + (quick ? 50_000 : 240_000);
    const secondsLeft = () => (deadline - performance.now()) / 1000;
    const context = { programs, isQuick: quick, results, secondsLeft, progress: showProgress };
    if (programs.length === 0) return;
    await measureEpisodeRates(context);
    await measureManyAtOnce(context);
  },
};

const rollouts = partWith(rolloutNames, {
  name: 'rollouts',
  about: 'episodes/s and CPU of runs with and without records, next to the client and to the load generator',
  run: measureRollouts,
});

/** All parts, in the order in which they run. */
export const parts: readonly Part[] = [
  ...[calls, hello, episodes, mixed, growth, start, largeResult, sessions, streams, resume, profile].map(partOf),
  clients,
  rollouts,
  partWith(journalNames, journal),
  partOf(endurance),
];
