import type { Mutant } from '../mutant.ts';
import { isFor } from '../wire.ts';
import { aroundSetup, bodyOf, json, withBody, withHeaders } from './change.ts';

export const secretsMutants: readonly Mutant[] = [
  {
    name: 'a secret that is a number is accepted',
    caughtBy: ['session/secrets-not-text'],
    wire: () => ({
      request(request) {
        const body = bodyOf(request);
        const entries = Object.entries((body.secrets ?? {}) as Record<string, unknown>);
        if (!isFor(request, 'create') || !entries.some(([, value]) => typeof value === 'number')) return request;
        return withBody(request, {
          ...body,
          secrets: Object.fromEntries(entries.map(([name, value]) => [name, `${value}`])),
        });
      },
    }),
  },
  {
    name: 'create quotes what it rejects',
    caughtBy: ['session/secrets-in-errors'],
    wire: () => ({
      answer: (answer, request) =>
        isFor(request, 'create') && answer.status === 400
          ? json(400, { detail: `already exists, or not valid: ${request.body}` })
          : answer,
    }),
  },
  {
    name: 'create quotes the X-Secrets header of what it rejects',
    caughtBy: ['session/secrets-in-errors'],
    wire: () => ({
      answer(answer, { headers, ...request }) {
        const secrets = headers['x-secrets'];
        if (typeof secrets !== 'string' || answer.status < 400 || !isFor({ headers, ...request }, 'create'))
          return answer;
        return json(answer.status, { detail: `not valid with ${Buffer.from(secrets, 'base64')}` });
      },
    }),
  },
  {
    name: 'secrets do not reach the environment',
    caughtBy: ['session/secrets-arrive'],
    wire: () => ({
      request(request) {
        const { secrets, ...body } = bodyOf(request);
        const isMeant = isFor(request, 'create') && typeof Object.values(secrets ?? {})[0] === 'string';
        return isMeant ? withBody(request, body) : request;
      },
    }),
  },
  {
    name: 'the secrets of a session reach later ones',
    caughtBy: ['session/secrets-arrive'],
    wire: () => {
      let kept: unknown;
      return {
        request(request) {
          const body = bodyOf(request);
          if (!isFor(request, 'create') || !body.env_name) return request;
          if (body.secrets === undefined) return kept ? withBody(request, { ...body, secrets: kept }) : request;
          // In other requests the field is invalid for every server.
          if (typeof Object(body.secrets).CONFORMANCE === 'string') kept = body.secrets;
          return request;
        },
      };
    },
  },
  {
    name: 'the X-Secrets header is not read',
    caughtBy: ['session/secrets-by-header'],
    wire: () => ({ request: (request) => withHeaders(request, { 'x-secrets': undefined }) }),
  },
  {
    name: 'secrets are logged',
    caughtBy: ['stop/secrets-not-logged'],
    server: () => ({
      environments: aroundSetup((setup, context) => {
        process.stderr.write(`conformance: setup with ${JSON.stringify(context.secrets)}\n`);
        return setup(context);
      }),
    }),
  },
];
