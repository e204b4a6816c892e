import { assertConforms, assume, UntestableError } from '../../assertions.ts';
import { defineChecks, fixtureCheck } from '../../check.ts';
import { type Probe, type ProbeEpisode, type ProbeResponse, sessionIdOf } from '../../probe/index.ts';
import type { TestTarget } from '../../target.ts';
import { assertStatus } from '../responses.ts';
import { countTeardowns, lifecycle, MAX_TEARDOWN_CALLS, newKey, sessionIdIn, unknownSid } from '../steps.ts';

export const deleteChecks = defineChecks({ profile: 'core', needs: ['task'] }, [
  {
    id: 'session/delete',
    title: 'POST /delete of a live session returns 200 and its sid',
    requirement: 'ORS-SESS-025',
    cost: { sessions: 1 },
    async run(probe) {
      const { episode, deleted } = await deletedEpisode(probe);
      const isRight = deleted.status === 200 && sessionIdIn(deleted) === episode.sid;
      assertConforms(isRight, `/delete of the session '${episode.sid}' returned ${deleted.summary}`);
    },
  },
  {
    id: 'session/delete-unknown',
    title: 'POST /delete of an id that never had a session returns 404',
    requirement: 'ORS-SESS-026',
    needs: [],
    async run(probe) {
      assertStatus(await probe.episodeOf(unknownSid()).delete(), 404, '/delete of an unknown id');
    },
  },
  {
    id: 'session/delete-twice',
    title: 'A repeated POST /delete returns 200, 404 or 410',
    requirement: 'ORS-SESS-027',
    cost: { sessions: 1 },
    async run(probe) {
      const response = await (await requireDeletedEpisode(probe)).delete();
      assertConforms([200, 404, 410].includes(response.status), `the second /delete returned ${response.summary}`);
      probe.note(`a repeated /delete returns ${response.status}`);
    },
  },
  {
    id: 'session/delete-session',
    title: 'POST /delete_session returns 200 and the sid for a live, a deleted and an unused id',
    requirement: 'ORS-SESS-028',
    cost: { sessions: 1 },
    async run(probe) {
      const release = async (what: string, sid: string) => {
        const response = await probe.send('POST', '/delete_session', { sid });
        const isRight = response.status === 200 && sessionIdIn(response) === sid;
        assertConforms(isRight, `/delete_session of the ${what} id '${sid}' returned ${response.summary}`);
      };
      await release('issued', await probe.createSessionId());
      const episode = await probe.episode();
      await release('live', episode.sid);
      await episode.delete();
      await release('deleted', episode.sid);
    },
  },
  fixtureCheck({
    id: 'session/teardown-once',
    title: 'Deleting an episode tears it down exactly once, without /delete_session',
    requirement: 'ORS-SESS-034',
    tools: ['lifecycle'],
    sessions: 2,
    calls: MAX_TEARDOWN_CALLS + 1,
    async run(probe) {
      const key = newKey();
      const episode = await probe.episode({ task: { key } });
      const observer = await probe.episode();
      await episode.prompt();
      await Promise.all([episode.delete(), episode.delete()]);
      assertConforms((await countTeardowns(probe, observer, key)) > 0, 'the episode was deleted and not torn down');
      await episode.delete();
      await probe.send('POST', '/delete_session', { sid: episode.sid });
      const { teardowns } = await lifecycle(observer, key);
      assertConforms(teardowns === 1, `the episode was torn down ${teardowns} times`);
    },
  }),
  {
    id: 'session/after-delete',
    title: 'After /delete, ping, prompt, task_tools and call return 404 or 410; call may use an error event',
    requirement: 'ORS-SESS-029',
    cost: { sessions: 1, calls: 1 },
    async run(probe) {
      const episode = await requireDeletedEpisode(probe);
      const ping = await episode.ping();
      for (const [path, response] of [['/ping', ping] as const, ...(await sendEpisodeRequests(probe, episode))]) {
        const isGone = response.status === 404 || response.status === 410 || isErrorEvent(response);
        assertConforms(isGone, `${path} of a deleted session returned ${response.summary}`);
      }
    },
  },
  {
    id: 'session/after-delete-410',
    title: 'After /delete, prompt, task_tools and call return 410 rather than 404',
    requirement: 'ORS-SESS-030',
    cost: { sessions: 1, calls: 1 },
    async run(probe) {
      const responses = await sendEpisodeRequests(probe, await requireDeletedEpisode(probe));
      for (const [path, response] of responses) {
        assertConforms(response.status !== 404, `${path} of a deleted session returned ${response.summary}`);
      }
      const isGone = responses.some(([, { status }]) => status === 410);
      assume(isGone, `requests of a deleted session returned ${responses[0]?.[1].summary}`);
    },
  },
  {
    id: 'session/unknown-id',
    title: 'Prompt, task_tools and call return 404 for an id that never had a session; call may use an error event',
    requirement: 'ORS-SESS-031',
    needs: [],
    cost: { calls: 1 },
    async run(probe) {
      for (const [path, response] of await sendEpisodeRequests(probe, probe.episodeOf(unknownSid()))) {
        const isUnknown = response.status === 404 || isErrorEvent(response);
        assertConforms(isUnknown, `${path} of an unknown session returned ${response.summary}`);
      }
    },
  },
  {
    id: 'session/id-without-episode',
    title: 'Prompt returns 404 for an id that was issued but has no episode yet',
    requirement: 'ORS-SESS-032',
    needs: [],
    async run(probe) {
      const sid = sessionIdOf(await probe.send('POST', '/create_session'));
      assume(sid, '/create_session returned no session id');
      assertStatus(await probe.episodeOf(sid).prompt(), 404, '/prompt with an id that has no episode');
    },
  },
]);

/** Sends the requests that need an episode; the call only if a tool has an input. */
async function sendEpisodeRequests(probe: Probe, episode: ProbeEpisode): Promise<[string, ProbeResponse][]> {
  const sample = await probe.sample().catch((error) => {
    if (error instanceof UntestableError) return undefined;
    throw error;
  });
  const responses: [string, ProbeResponse][] = [
    ['/prompt', await episode.prompt()],
    ['/task_tools', await episode.taskTools()],
  ];
  if (sample) responses.push(['/call', await episode.start(sample.tool.name, sample.input).end()]);
  return responses;
}

/** Returns whether a call was rejected by an error event, which the documents allow instead of a status. */
const isErrorEvent = ({ streamError, resultText }: ProbeResponse) =>
  streamError !== undefined && resultText === undefined;

const episodes = new WeakMap<TestTarget, ReturnType<typeof deleteEpisode>>();

/** Returns a deleted episode that the checks of a run share, and the response of /delete. */
async function deletedEpisode(probe: Probe) {
  const shared = episodes.get(probe.target) ?? deleteEpisode(probe);
  episodes.set(probe.target, shared);
  const { sid, deleted, exchanges } = await shared;
  probe.includeEvidence(exchanges);
  return { episode: probe.episodeOf(sid), deleted };
}

/** Returns the deleted episode. @throws UntestableError if /delete failed */
async function requireDeletedEpisode(probe: Probe): Promise<ProbeEpisode> {
  const { episode, deleted } = await deletedEpisode(probe);
  deleted.requireSuccess('/delete');
  return episode;
}

async function deleteEpisode(probe: Probe) {
  const episode = await probe.episode();
  await episode.prompt();
  const deleted = await episode.delete();
  return { sid: episode.sid, deleted, exchanges: [...probe.exchanges] };
}
