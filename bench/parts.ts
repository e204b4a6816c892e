import { playInRounds } from './clients/episodes.ts';
import { findPlayers, playerNames } from './clients/players.ts';
import { measures } from './measures/index.ts';
import type { Bench, Measure } from './measures/measure.ts';
import type { Contestant } from './process/contestants.ts';
import type { Results } from './results.ts';
import { showProgress } from './say.ts';

export interface Surroundings {
  contestants: readonly Contestant[];
  quick: boolean;
}

/** A part of a run: a measure of servers, or that of clients. */
export interface Part {
  name: string;
  about: string;
  isExtra?: boolean;
  /** Who takes part, in the order of the table. */
  columns(surroundings: Surroundings): readonly string[];
  run(surroundings: Surroundings, results: Results): Promise<void>;
}

const partOf = (measure: Measure): Part => ({
  ...measure,
  columns: ({ contestants }) => contestants.map(({ name }) => name),
  run: (surroundings, results) => measure.run(benchFor(surroundings, results)),
});

const benchFor = (surroundings: Surroundings, results: Results): Bench => ({
  ...surroundings,
  progress: showProgress,
  record: (metric, contestant, value) => results.record(metric, contestant, value),
  fault: (measure, contestant, error) => results.fault(measure, contestant, error),
  note: (text) => void results.notes.add(text),
});

const clients: Part = {
  name: 'clients',
  about: 'episodes per second and core of our client, the generated one, and those for Python, on our server',
  columns: () => playerNames,
  run: async ({ quick }, results) => {
    const { players, missing } = findPlayers(playerNames);
    for (const line of missing) results.notes.add(line);
    const deadline = performance.now() + (quick ? 50_000 : 150_000);
    const secondsLeft = () => (deadline - performance.now()) / 1000;
    if (players.length > 0)
      await playInRounds({ players, isQuick: quick, results, secondsLeft, progress: showProgress });
  },
};

/** In the order in which they run. */
export const parts: readonly Part[] = [...measures.filter(({ isExtra }) => !isExtra).map(partOf), clients].concat(
  measures.filter(({ isExtra }) => isExtra).map(partOf),
);
