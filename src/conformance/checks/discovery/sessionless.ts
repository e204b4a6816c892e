import { equalJson } from '../../../core/index.ts';
import { assertConforms, assume } from '../../assertions.ts';
import { defineChecks } from '../../check.ts';
import { NO_SESSION, sessionlessRequests } from './requests.ts';

const ANY_SESSION = '11111111-2222-4333-8444-555555555555';

export const sessionlessChecks = defineChecks({ profile: 'discovery' }, [
  {
    id: 'discovery/any-session',
    title: 'Discovery returns the same with any X-Session-ID as without one',
    requirement: 'ORS-DISC-029',
    async run(probe) {
      for (const { what, send } of sessionlessRequests(probe)) {
        const plain = await send();
        assume(plain.isSuccess, `${what} without X-Session-ID returned ${plain.summary}`);
        for (const sid of [NO_SESSION, ANY_SESSION]) {
          const response = await send(sid);
          const isSame = response.status === plain.status && equalJson(response.json, plain.json);
          const without = `${what} returned ${plain.summary} without X-Session-ID`;
          assertConforms(isSame, `${without}, and with '${sid}' ${response.summary}`);
        }
      }
    },
  },
  {
    id: 'discovery/no-session',
    title: 'No discovery route requires X-Session-ID',
    requirement: 'ORS-DISC-030',
    async run(probe) {
      const failed: string[] = [];
      for (const { what, send } of sessionlessRequests(probe)) {
        const plain = await send();
        if (plain.isSuccess) continue;
        const named = await send(ANY_SESSION);
        const failure = `${what} returned ${plain.summary}`;
        assertConforms(!named.isSuccess, `${failure} without X-Session-ID, and with one ${named.status}`);
        failed.push(failure);
      }
      assume(failed.length === 0, failed.join('; '));
    },
  },
  {
    id: 'discovery/no-effect',
    title: 'Discovery with a session id creates no episode and does not change an open one',
    requirement: 'ORS-DISC-032',
    profile: 'core',
    needs: ['task'],
    cost: { sessions: 1 },
    async run(probe) {
      const sid = await probe.createSessionId();
      const episode = await probe.episode();
      const before = await episode.prompt();
      const unopened = await probe.send('POST', '/ping', { sid });
      assume(!unopened.isSuccess, `/ping of an id without episode returned ${unopened.summary}`);
      before.requireSuccess('/prompt');
      for (const { send } of sessionlessRequests(probe)) await Promise.all([send(sid), send(episode.sid)]);
      const opened = await probe.send('POST', '/ping', { sid });
      const afterwards = 'after discovery with an id that had no episode';
      assertConforms(!opened.isSuccess, `${afterwards}, /ping of it returned ${opened.summary}`);
      const after = await episode.prompt();
      const isSame = after.isSuccess && equalJson(after.json, before.json);
      assertConforms(isSame, `the prompt was ${before.summary}, and after discovery with that id ${after.summary}`);
    },
  },
]);
