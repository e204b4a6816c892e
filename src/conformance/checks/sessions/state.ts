import { equalJson, previewJson } from '../../../core/index.ts';
import type { Check } from '../../check.ts';
import type { Episode, Probe } from '../../probe/index.ts';
import { applies, ensure } from '../../verdict.ts';
import { open, promptOf, someTask } from './steps.ts';

/** Tasks that may have another prompt than the first. */
const MOST_TRIES = 3;

/** An episode with another prompt, in whichever split there is one. */
async function otherEpisode(probe: Probe, prompt: unknown): Promise<Episode | undefined> {
  const splits = probe.environment.splits.filter(({ name, count }) => count !== 0 && name !== someTask(probe).split);
  const places = [someTask(probe), ...splits.map(({ name: split }) => ({ split, index: 0 }))];
  for (const place of places.slice(0, MOST_TRIES)) {
    const episode = await open(probe, { ...(await probe.createBody()), ...place });
    if (!equalJson(await promptOf(episode), prompt)) return episode;
  }
  return undefined;
}

export const stateChecks: readonly Check[] = [
  {
    id: 'session/own-prompt',
    title:
      'Two sessions with different tasks, requested in turn and concurrently, each return the prompt of their task',
    requirement: 'ORS-SESS-054',
    profile: 'core',
    needs: ['task'],
    cost: { sessions: MOST_TRIES },
    async run(probe) {
      const first = await probe.sharedEpisode();
      const own = await promptOf(first);
      const second = await otherEpisode(probe, own);
      applies(second, 'the tasks that were looked at have the same prompt');
      const other = await promptOf(second);
      const again = await Promise.all([first, second, first, second].map(promptOf));
      for (const [index, prompt] of again.entries()) {
        const wrong = index % 2 === 0 ? other : own;
        const isOwn = !equalJson(prompt, wrong);
        ensure(isOwn, `a session was given the prompt of another one: ${previewJson(prompt, 200)}`);
      }
    },
  },
  {
    id: 'session/state-isolated',
    title: 'Two sessions with the same task share no state',
    requirement: 'ORS-SESS-037',
    profile: 'full',
    needs: ['fixture:count'],
    cost: { sessions: 2, calls: 2 },
    async run(probe) {
      const task = { id: 'twins' };
      const [one, two] = [await probe.episode({ task }), await probe.episode({ task })];
      await one.text('count', { by: 40 });
      const counter = await two.text('count', { by: 2 });
      ensure(counter === '2', `a session added 40 to its counter, and that of another one was ${counter}, not 2`);
    },
  },
  {
    id: 'session/state-lasts',
    title: 'State that a tool changes persists until the next call of the same session',
    requirement: 'ORS-SESS-038',
    profile: 'full',
    needs: ['fixture:count'],
    cost: { sessions: 1, calls: 2 },
    async run(probe) {
      const episode = await probe.episode();
      await episode.text('count', { by: 5 });
      const counter = await episode.text('count', { by: 12 });
      ensure(counter === '17', `5 and then 12 were added to the counter, and it was ${counter}`);
    },
  },
  {
    id: 'session/one-task',
    title: 'All calls of a session use the same task, even if other sessions are opened between them',
    requirement: 'ORS-SESS-050',
    profile: 'full',
    needs: ['fixture:show_task'],
    cost: { sessions: 2, calls: 2 },
    async run(probe) {
      const episode = await probe.episode({ task: { id: 'one' } });
      const tasks = [await episode.text('show_task')];
      await (await probe.episode({ task: { id: 'another' } })).prompt();
      tasks.push(await episode.text('show_task'));
      ensure(tasks[0] === tasks[1], `two calls of one session met the tasks ${previewJson(tasks)}`);
    },
  },
];
