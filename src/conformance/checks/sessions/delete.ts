import type { Check } from '../../check.ts';
import { ensure, given } from '../../verdict.ts';
import { deletedEpisode } from './deleted-episode.ts';
import { lifecycle, newKey, sidIn, TEARDOWN_CALLS, teardownsOf, unknownSid } from './steps.ts';

export const deleteChecks: readonly Check[] = [
  {
    id: 'session/delete',
    title: 'POST /delete of a live session answers 200 and its sid',
    requirement: 'ORS-SESS-025',
    profile: 'core',
    needs: ['task'],
    cost: { sessions: 1 },
    async run(probe) {
      const { episode, deleted } = await deletedEpisode(probe);
      const isRight = deleted.status === 200 && sidIn(deleted) === episode.sid;
      ensure(isRight, `/delete of the session '${episode.sid}' gave ${deleted.summary}`);
    },
  },
  {
    id: 'session/delete-unknown',
    title: 'POST /delete of an id that never had a session answers 404',
    requirement: 'ORS-SESS-026',
    profile: 'core',
    async run(probe) {
      const answer = await probe.send('POST', '/delete', { sid: unknownSid() });
      ensure(answer.status === 404, `/delete of an unknown id gave ${answer.summary}`);
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
      given(deleted.isSuccess, `/delete gave ${deleted.summary}`);
      const answer = await episode.delete();
      ensure([200, 404, 410].includes(answer.status), `the second /delete gave ${answer.summary}`);
      probe.note(`a repeated /delete answers ${answer.status}`);
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
        const answer = await probe.send('POST', '/delete_session', { sid });
        const isRight = answer.status === 200 && sidIn(answer) === sid;
        ensure(isRight, `/delete_session of the ${what} id '${sid}' gave ${answer.summary}`);
      };
      await release('issued', await probe.newSid());
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
    cost: { sessions: 2, calls: TEARDOWN_CALLS + 1 },
    async run(probe) {
      const key = newKey();
      const [episode, observer] = [await probe.episode({ task: { key } }), await probe.episode()];
      await episode.prompt();
      await Promise.all([episode.delete(), episode.delete()]);
      ensure((await teardownsOf(probe, observer, key)) > 0, 'the episode was deleted and not torn down');
      await episode.delete();
      await probe.send('POST', '/delete_session', { sid: episode.sid });
      const { teardowns } = await lifecycle(observer, key);
      ensure(teardowns === 1, `the episode was torn down ${teardowns} times`);
    },
  },
];
