import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { orsInProcess } from '../../support/command-in-process.ts';
import { runPlayer, startPythonServer } from '../python.ts';
import type { packages } from '../python-packages.ts';
import { GRADER_KEY, startGrader } from './grader.ts';
import type { Episodes } from './scripts.ts';

const agent = fileURLToPath(new URL('scripted-agent.mjs', import.meta.url));

/** Rewards of an episode, as one of the players reports them. */
export interface PlayedEpisode {
  readonly task: number;
  readonly sample: number;
  /** Rewards of its successful calls; null for a call without one. */
  readonly rewards: readonly (number | null)[];
  /** Reward of the episode; null if there is none. */
  readonly reward: number | null;
  /** Reward that compares the episode with the others of its task; null if there is none. */
  readonly groupReward: number | null;
}

interface ServedModel {
  readonly url: string;
  readonly tasks: number;
}

export interface EnvironmentStage extends AsyncDisposable {
  readonly url: string;
  /** Plays every episode with the client of the package that serves, and returns them by environment. */
  playWithPackage(): Promise<Readonly<Record<string, readonly PlayedEpisode[]>>>;
  /**
   * Plays the episodes of an environment with `ors rollout`.
   *
   * @param model base URL of a served model with the name of the environment, and the number of tasks. Default: a model
   *   in the same process, and all tasks.
   */
  rollOut(environment: string, model?: ServedModel): Promise<readonly PlayedEpisode[]>;
}

/** Serves the environments of this folder with a Python package. */
export async function serveEnvironments(
  name: (typeof packages)[number],
  episodes: Episodes,
): Promise<EnvironmentStage> {
  const folder = await mkdtemp(join(tmpdir(), 'ors-kit-'));
  const file = join(folder, 'episodes.json');
  await writeFile(file, JSON.stringify(episodes));
  const grader = await startGrader();
  const settings = { SERVED_BY: name, EPISODES: file, GRADER_URL: grader.url };
  const server = await startPythonServer('servers/serve_environments.py', settings);

  return {
    url: server.url,
    async playWithPackage() {
      const results = join(folder, 'results.json');
      const args = [server.url, name, 'async', '--episodes', file, '--results', results];
      const { lines } = await runPlayer('rewards_player.py', args);
      if (lines.join() !== 'ok rewards') throw new Error(`the client of ${name} failed: ${lines.join()}`);
      const played: PackageEpisode[] = JSON.parse(await readFile(results, 'utf8'));
      const names = Object.keys(episodes.environments);
      return Object.fromEntries(
        names.map((environment) => [
          environment,
          played.filter((one) => one.environment === environment).map(toPlayed),
        ]),
      );
    },

    async rollOut(environment, model) {
      const out = join(folder, model ? `${environment}-served` : environment);
      const player = model
        ? ['--model', environment, '--base-url', model.url, '--no-stream', '--limit', `${model.tasks}`]
        : ['--agent', agent];
      const samples = episodes.environments[environment]?.[0]?.samples.length ?? 1;
      const tasks = ['--env', environment, '--split', 'test', '--samples', `${samples}`];
      const limits = ['--turns', `${episodes.max_turns}`, '--concurrency', '50'];
      const secret = ['--secret', `grader_api_key=${GRADER_KEY}`];
      const args = [...tasks, ...player, ...limits, ...secret, '--no-traces', '--out', out];
      const { code, stderr } = await orsInProcess(['rollout', server.url, ...args], { env: { EPISODES: file } });
      const failures = await readFile(join(out, 'failures.jsonl'), 'utf8').catch(() => '');
      if (failures !== '') process.stderr.write(`failed attempts of ${environment}:\n${failures.slice(0, 2_000)}`);
      if (code !== 0) throw new Error(`ors rollout of ${environment} ended (${code}): ${stderr.slice(-2_000)}`);
      return await readRun(out);
    },

    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await grader[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

/** Line that rewards_player.py writes for an episode. */
interface PackageEpisode extends Pick<PlayedEpisode, 'task' | 'sample' | 'rewards'> {
  readonly environment: string;
  /** False if the environment grades final messages and got none. */
  readonly is_graded: boolean;
  /** Group rewards of its task, by sample. */
  readonly group: readonly number[] | null;
}

function toPlayed({ task, sample, rewards, is_graded: isGraded, group }: PackageEpisode): PlayedEpisode {
  const given = rewards.filter((reward) => reward !== null);
  const reward = given.length === 0 || !isGraded ? null : given.reduce((one, other) => one + other);
  return { task, sample, rewards, reward, groupReward: group?.[sample] ?? null };
}

/** Line of `rewards.jsonl`. */
interface RunEpisode extends Pick<PlayedEpisode, 'task' | 'sample' | 'reward'> {
  readonly steps: readonly { readonly ok: boolean; readonly reward: number | null }[];
}

/** Line of `groups.jsonl`. */
interface RunGroup {
  readonly task: number;
  readonly rewards: readonly number[] | null;
}

/** Reads the episodes of a run of `ors rollout`. */
async function readRun(folder: string): Promise<PlayedEpisode[]> {
  const episodes: RunEpisode[] = await readLines(join(folder, 'rewards.jsonl'));
  const groups: RunGroup[] = await readLines(join(folder, 'groups.jsonl')).catch(() => []);
  const rewardsByTask = new Map(groups.map(({ task, rewards }) => [task, rewards]));
  return episodes.map(({ task, sample, reward, steps }) => {
    const rewards = steps.flatMap((step) => (step.ok ? [step.reward] : []));
    return { task, sample, rewards, reward, groupReward: rewardsByTask.get(task)?.[sample] ?? null };
  });
}

async function readLines(file: string) {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line));
}

/** A line for each episode in which two players report different rewards, or that only one of them has. */
export function compareEpisodes(theirs: readonly PlayedEpisode[], ours: readonly PlayedEpisode[]): string[] {
  const key = ({ task, sample }: PlayedEpisode) => `task ${task}, sample ${sample}`;
  const describe = (episode: PlayedEpisode | undefined) =>
    episode ? JSON.stringify([episode.rewards, episode.reward, episode.groupReward]) : 'not played';
  const oursByKey = new Map(ours.map((episode) => [key(episode), episode]));
  const theirsByKey = new Map(theirs.map((episode) => [key(episode), episode]));
  return [...new Set([...theirsByKey.keys(), ...oursByKey.keys()])].flatMap((each) => {
    const [one, other] = [describe(theirsByKey.get(each)), describe(oursByKey.get(each))];
    return one === other ? [] : [`${each}: ${one} with the package, ${other} with ors rollout`];
  });
}
