import { createHash, randomUUID } from 'node:crypto';
import { previewJson } from '../../../core/index.ts';
import { assertConforms, assume } from '../../assertions.ts';
import { defineChecks, fixtureCheck } from '../../check.ts';
import { JSON_TYPE, type Probe } from '../../probe/index.ts';
import { NO_ENVIRONMENT, NO_SPLIT } from '../discovery/requests.ts';
import { assertClientError } from '../responses.ts';
import { postCreate } from '../steps.ts';

const NAME = 'CONFORMANCE';
const HEADER_NAME = 'CONFORMANCE_HEADER';

export const secretsChecks = defineChecks({ profile: 'core', needs: ['task'], cost: { sessions: 1 } }, [
  {
    id: 'session/secrets-not-text',
    title: 'POST /create with a secret whose value is not a string is rejected with 4xx',
    requirement: 'ORS-SESS-019',
    async run(probe) {
      const sid = await probe.createSessionId();
      const body = await probe.createBody();
      for (const value of [7, true, ['text'], { text: 'text' }]) {
        const response = await postCreate(probe, sid, { ...body, secrets: { [NAME]: value } });
        assertClientError(response, `/create with a secret of the value ${previewJson(value)}`);
      }
    },
  },
  {
    id: 'session/secrets-in-errors',
    title: 'No response to a rejected POST /create contains the value of one of its secrets',
    requirement: 'ORS-SESS-020',
    async run(probe) {
      const sid = await probe.createSessionId();
      const secret = newSecret();
      const headers = [JSON_TYPE, ['X-Secrets', inHeader(secret)] as const];
      let rejections = 0;
      for (const [what, body] of Object.entries(await rejectedRequests(probe, secret))) {
        const response = await probe.send('POST', '/create', { sid, headers, body });
        if (response.isSuccess) continue;
        rejections++;
        const returned = `/create with ${what} returned ${response.status}`;
        const isHidden = !response.text.includes(secret);
        assertConforms(isHidden, `${returned} and a body that contains the value of the secret`);
      }
      assume(rejections > 0, 'the server rejected no request with secrets');
    },
  },
  fixtureCheck({
    id: 'session/secrets-arrive',
    title: "The secrets of POST /create reach the session's environment, and no other session",
    requirement: 'ORS-SESS-021',
    tools: ['secret_digest'],
    sessions: 2,
    calls: 2,
    async run(probe) {
      const secret = newSecret();
      const episode = await probe.episode({ secrets: { [NAME]: secret } });
      const digest = await episode.text('secret_digest', { name: NAME });
      assertConforms(digest !== 'none', 'the environment had no secret of that name');
      assertConforms(digest === digestOf(secret), 'the environment had a secret of that name with another value');
      const others = await (await probe.episode()).text('secret_digest', { name: NAME });
      assertConforms(others === 'none', 'another session, which got no such secret, had it too');
    },
  }),
  fixtureCheck({
    id: 'session/secrets-by-header',
    title: 'Secrets of the X-Secrets header of POST /create reach the environment too',
    requirement: 'ORS-SESS-022',
    tools: ['secret_digest'],
    async run(probe) {
      const secret = newSecret();
      const sid = await probe.createSessionId();
      const headers = [['X-Secrets', inHeader(secret)] as const];
      (await postCreate(probe, sid, await probe.createBody(), { headers })).requireSuccess('/create');
      const digest = await probe.episodeOf(sid).text('secret_digest', { name: HEADER_NAME });
      assertConforms(digest === digestOf(secret), 'the environment did not have the secret of the header');
    },
  }),
]);

const newSecret = () => `secret-${randomUUID()}`;

const digestOf = (secret: string) => createHash('sha256').update(secret).digest('hex');

/** Returns the value of the X-Secrets header that the platform's clients send. */
const inHeader = (secret: string) =>
  Buffer.from(JSON.stringify({ [HEADER_NAME]: { value: secret } })).toString('base64');

/** Returns invalid requests that contain a secret. */
async function rejectedRequests(probe: Probe, secret: string) {
  const secrets = { [NAME]: secret };
  const body = await probe.createBody({ secrets });
  const withSecret = (change: object) => JSON.stringify({ ...body, ...change });
  return {
    'an unknown env_name': withSecret({ env_name: NO_ENVIRONMENT }),
    'an unknown split': withSecret({ split: NO_SPLIT }),
    'an index that is a text': withSecret({ index: 'first' }),
    'a secret in a list': withSecret({ secrets: { [NAME]: [secret] } }),
    'secrets that are a text': withSecret({ secrets: secret }),
    'a misspelt field': withSecret({ secrest: secrets }),
    'no task': JSON.stringify({ env_name: probe.environment.name, secrets }),
    'JSON that ends too early': withSecret({}).slice(0, -1),
    'an infinite number': withSecret({}).replace(/\}$/, ',"index":1e999}'),
  };
}
