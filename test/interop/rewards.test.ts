import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runs } from '../support/fast-check.ts';
import { compareEpisodes, type EnvironmentStage, type PlayedEpisode, serveEnvironments } from './environments/play.ts';
import { createEpisodes, type Episodes } from './environments/scripts.ts';
import { startScriptedModel } from './environments/served-model.ts';
import { describeWithPython } from './python.ts';

const SEED = 28;
/** Episodes of each environment: some of its tasks are played several times. */
const EPISODES = 4 * runs(20);
const SERVED_TASKS = 10;
/** Environments that use only what both packages have. */
const COMMON = ['cardtable', 'climb-v0', 'gallery', 'pettycash', 'vault', 'workshop'];

function only({ environments, ...rest }: Episodes, names: readonly string[]): Episodes {
  return { ...rest, environments: Object.fromEntries(names.map((name) => [name, environments[name] ?? []])) };
}

// The same scripted model plays the same episodes with the client of the package, and with `ors rollout`.
describeWithPython().each([
  { name: 'openreward', count: EPISODES, episodes: createEpisodes(SEED, EPISODES) },
  { name: 'ors-sdk', count: 20, episodes: only(createEpisodes(SEED, 20), COMMON) },
] as const)('environments on $name', ({ name, count, episodes }) => {
  const totals = { compared: 0, different: 0 };
  let stage: EnvironmentStage;
  let theirs: Readonly<Record<string, readonly PlayedEpisode[]>>;

  beforeAll(async () => {
    stage = await serveEnvironments(name, episodes);
    theirs = await stage.playWithPackage();
  });
  afterAll(async () => {
    await stage?.[Symbol.asyncDispose]();
    process.stderr.write(`rewards on ${name}: ${totals.compared} compared, ${totals.different} different\n`);
  });

  test.each(Object.keys(episodes.environments))(
    'scores the episodes of %s as that client does',
    async (environment) => {
      const expected = theirs[environment] ?? [];

      const played = await stage.rollOut(environment);

      const differences = compareEpisodes(expected, played);
      totals.compared += expected.length;
      totals.different += differences.length;
      expect(differences).toEqual([]);
      expect(expected).toHaveLength(count);
      expect(new Set(expected.map(({ reward }) => reward)).size).toBeGreaterThan(1);
    },
  );

  if (name !== 'openreward') return;
  test.each(['essay', 'helpdesk'])(
    'scores the episodes of %s in the same way if a model is served',
    async (environment) => {
      await using model = await startScriptedModel(episodes);

      const played = await stage.rollOut(environment, { url: model.url, tasks: SERVED_TASKS });

      const expected = (theirs[environment] ?? []).filter(({ task }) => task < SERVED_TASKS);
      expect(compareEpisodes(expected, played)).toEqual([]);
    },
  );
});
