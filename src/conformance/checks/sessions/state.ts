import { equalJson, previewJson } from '../../../core/index.ts';
import type { ConformanceCheck } from '../../check.ts';
import type { Probe, ProbeEpisode } from '../../probe/index.ts';
import { assertConforms, assumeApplicable } from '../../verdict.ts';
import { openEpisode, pickTask, requirePrompt } from './steps.ts';

/** Tasks that may have another prompt than the first. */
const MAX_ATTEMPTS = 3;

/** An episode with another prompt, in whichever split there is one. */
async function otherEpisode(probe: Probe, prompt: unknown): Promise<ProbeEpisode | undefined> {
  const splits = probe.environment.splits.filter(({ name, count }) => count !== 0 && name !== pickTask(probe).split);
  const places = [pickTask(probe), ...splits.map(({ name: split }) => ({ split, index: 0 }))];
  for (const place of places.slice(0, MAX_ATTEMPTS)) {
    const episode = await openEpisode(probe, { ...(await probe.createBody()), ...place });
    if (!equalJson(await requirePrompt(episode), prompt)) return episode;
  }
  return undefined;
}

export const stateChecks: readonly ConformanceCheck[] = [
  {
    id: 'session/own-prompt',
    title:
      'Two sessions with different tasks, requested in turn and concurrently, each return the prompt of their task',
    requirement: 'ORS-SESS-054',
    profile: 'core',
    needs: ['task'],
    cost: { sessions: MAX_ATTEMPTS },
    async run(probe) {
      const first = await probe.sharedEpisode();
      const own = await requirePrompt(first);
      const second = await otherEpisode(probe, own);
      assumeApplicable(second, 'the tasks that were looked at have the same prompt');
      const other = await requirePrompt(second);
      const again = await Promise.all([first, second, first, second].map(requirePrompt));
      for (const [index, prompt] of again.entries()) {
        const wrong = index % 2 === 0 ? other : own;
        const isOwn = !equalJson(prompt, wrong);
        assertConforms(isOwn, `a session was given the prompt of another one: ${previewJson(prompt, 200)}`);
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
      assertConforms(
        counter === '2',
        `a session added 40 to its counter, and that of another one was ${counter}, not 2`,
      );
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
      assertConforms(counter === '17', `5 and then 12 were added to the counter, and it was ${counter}`);
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
      assertConforms(tasks[0] === tasks[1], `two calls of one session met the tasks ${previewJson(tasks)}`);
    },
  },
];
