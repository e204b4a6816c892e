import type { ConformanceCheck } from '../../check.ts';
import { type Probe, type ProbeEpisode, type ProbeResponse, sessionIdOf } from '../../probe/index.ts';
import { assertConforms, assume, UntestableError } from '../../verdict.ts';
import { deletedEpisode } from './deleted-episode.ts';
import { unknownSid } from './steps.ts';

/** What a session without an episode answers, by request; the call only where there is an input for a tool. */
async function ask(probe: Probe, episode: ProbeEpisode): Promise<[string, ProbeResponse][]> {
  const sample = await probe.sample().catch((error) => {
    if (error instanceof UntestableError) return undefined;
    throw error;
  });
  const answers: [string, ProbeResponse][] = [
    ['/prompt', await episode.prompt()],
    ['/task_tools', await episode.taskTools()],
  ];
  if (sample) answers.push(['/call', await episode.start(sample.tool.name, sample.input).end()]);
  return answers;
}

/** The documents let a call say it with a status, or with an error event. */
const isSaidInStream = ({ streamError, resultText }: ProbeResponse) =>
  streamError !== undefined && resultText === undefined;

export const goneChecks: readonly ConformanceCheck[] = [
  {
    id: 'session/after-delete',
    title: 'After /delete, ping, prompt, task_tools and call answer 404 or 410, call possibly with an error event',
    requirement: 'ORS-SESS-029',
    profile: 'core',
    needs: ['task'],
    cost: { sessions: 1, calls: 1 },
    async run(probe) {
      const { episode, deleted } = await deletedEpisode(probe);
      assume(deleted.isSuccess, `/delete gave ${deleted.summary}`);
      const ping = await episode.ping();
      for (const [path, response] of [['/ping', ping] as const, ...(await ask(probe, episode))]) {
        const isGone = response.status === 404 || response.status === 410 || isSaidInStream(response);
        assertConforms(isGone, `${path} of a deleted session gave ${response.summary}`);
      }
    },
  },
  {
    id: 'session/after-delete-410',
    title: 'After /delete, prompt, task_tools and call answer 410 rather than 404',
    requirement: 'ORS-SESS-030',
    profile: 'core',
    needs: ['task'],
    cost: { sessions: 1, calls: 1 },
    async run(probe) {
      const { episode, deleted } = await deletedEpisode(probe);
      assume(deleted.isSuccess, `/delete gave ${deleted.summary}`);
      const answers = await ask(probe, episode);
      for (const [path, response] of answers) {
        assertConforms(response.status !== 404, `${path} of a deleted session gave ${response.summary}`);
      }
      const isGone = answers.some(([, { status }]) => status === 410);
      assume(isGone, `requests of a deleted session gave ${answers[0]?.[1].summary}`);
    },
  },
  {
    id: 'session/unknown-id',
    title:
      'Prompt, task_tools and call answer 404 for an id that never had a session, call possibly with an error event',
    requirement: 'ORS-SESS-031',
    profile: 'core',
    cost: { calls: 1 },
    async run(probe) {
      for (const [path, response] of await ask(probe, probe.episodeOf(unknownSid()))) {
        const isUnknown = response.status === 404 || isSaidInStream(response);
        assertConforms(isUnknown, `${path} of an unknown session gave ${response.summary}`);
      }
    },
  },
  {
    id: 'session/id-without-episode',
    title: 'Prompt answers 404 for an id that was issued but has no episode yet',
    requirement: 'ORS-SESS-032',
    profile: 'core',
    async run(probe) {
      const sid = sessionIdOf(await probe.send('POST', '/create_session'));
      assume(sid, 'no session id could be had');
      const response = await probe.episodeOf(sid).prompt();
      assertConforms(response.status === 404, `/prompt with an id that has no episode gave ${response.summary}`);
    },
  },
];
