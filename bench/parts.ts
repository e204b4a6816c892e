import { clientNames, findClients } from './clients/client-programs.ts';
import { measureEpisodeRates } from './clients/episodes.ts';
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

const clients: Part = {
  name: 'clients',
  about: 'episodes per second and CPU time of our client, the generated client and the Python clients, on our server',
  columns: () => clientNames,
  run: async ({ quick }, results) => {
    const { programs, missing } = findClients(clientNames);
    for (const line of missing) results.notes.add(line);
    const deadline = performance.now() + (quick ? 50_000 : 150_000);
    const secondsLeft = () => (deadline - performance.now()) / 1000;
    if (programs.length > 0) {
      await measureEpisodeRates({ programs, isQuick: quick, results, secondsLeft, progress: showProgress });
    }
  },
};

/** All parts, in the order in which they run. */
export const parts: readonly Part[] = [
  ...[calls, hello, episodes, mixed, growth, start, largeResult, sessions, streams, resume, profile].map(partOf),
  clients,
  { ...partOf(journal), columns: () => journalNames },
  partOf(endurance),
];
