import type { ConformanceCheck } from '../../check.ts';
import { assertConforms, assume } from '../../verdict.ts';
import { deletedEpisode } from './deleted-episode.ts';
import { countTeardowns, lifecycle, MAX_TEARDOWN_CALLS, newKey, sessionIdIn, unknownSid } from './steps.ts';

export const deleteChecks: readonly ConformanceCheck[] = [
  {
    id: 'session/delete',
    title: 'POST /delete of a live session answers 200 and its sid',
    requirement: 'ORS-SESS-025',
    profile: 'core',
    needs: ['task'],
    cost: { sessions: 1 },
    async run(probe) {
      const { episode, deleted } = await deletedEpisode(probe);
      const isRight = deleted.status === 200 && sessionIdIn(deleted) === episode.sid;
      assertConforms(isRight, `/delete of the session '${episode.sid}' gave ${deleted.summary}`);
    },
  },
  {
    id: 'session/delete-unknown',
    title: 'POST /delete of an id that never had a session answers 404',
    requirement: 'ORS-SESS-026',
    profile: 'core',
    async run(probe) {
      const response = await probe.send('POST', '/delete', { sid: unknownSid() });
      assertConforms(response.status === 404, `/delete of an unknown id gave ${response.summary}`);
    },
  },
  {
    id: 'session/delete-twice',
    title: 'A repeated POST /delete answers 200, 404 or 410',
    requirement: 'ORS-SESS-027',
    profile: 'core',
    needs: ['task'],
    cost: { sessions: 1 },
    async run(probe) {
      const { episode, deleted } = await deletedEpisode(probe);
      assume(deleted.isSuccess, `/delete gave ${deleted.summary}`);
      const response = await episode.delete();
      assertConforms([200, 404, 410].includes(response.status), `the second /delete gave ${response.summary}`);
      probe.note(`a repeated /delete answers ${response.status}`);
    },
  },
  {
    id: 'session/delete-session',
    title: 'POST /delete_session answers 200 and the sid for a live, a deleted and a merely issued id',
    requirement: 'ORS-SESS-028',
    profile: 'core',
    needs: ['task'],
    cost: { sessions: 1 },
    async run(probe) {
      const release = async (what: string, sid: string) => {
        const response = await probe.send('POST', '/delete_session', { sid });
        const isRight = response.status === 200 && sessionIdIn(response) === sid;
        assertConforms(isRight, `/delete_session of the ${what} id '${sid}' gave ${response.summary}`);
      };
      await release('issued', await probe.createSessionId());
      const episode = await probe.episode();
      await release('live', episode.sid);
      await episode.delete();
      await release('deleted', episode.sid);
    },
  },
  {
    id: 'session/teardown-once',
    title: 'Deleting an episode tears it down, without /delete_session and exactly once',
    requirement: 'ORS-SESS-034',
    profile: 'full',
    needs: ['fixture:lifecycle'],
    cost: { sessions: 2, calls: MAX_TEARDOWN_CALLS + 1 },
    async run(probe) {
      const key = newKey();
      const [episode, observer] = [await probe.episode({ task: { key } }), await probe.episode()];
      await episode.prompt();
      await Promise.all([episode.delete(), episode.delete()]);
      assertConforms((await countTeardowns(probe, observer, key)) > 0, 'the episode was deleted and not torn down');
      await episode.delete();
      await probe.send('POST', '/delete_session', { sid: episode.sid });
      const { teardowns } = await lifecycle(observer, key);
      assertConforms(teardowns === 1, `the episode was torn down ${teardowns} times`);
    },
  },
];
