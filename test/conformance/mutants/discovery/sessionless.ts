import type { Mutant } from '../mutant.ts';
import { isFor, type Wire } from '../wire.ts';
import { answer, fields, isDiscovery, refuse } from './requests.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const sessionlessMutants: readonly Mutant[] = [
  {
    name: 'discovery rejects an X-Session-ID that is not a UUID',
    caughtBy: ['discovery/any-session'],
    wire: () => ({
      request(request) {
        const sid = request.headers['x-session-id'];
        return isDiscovery(request) && sid !== undefined && !UUID.test(String(sid))
          ? refuse(400, 'X-Session-ID header must be a UUID')
          : request;
      },
    }),
  },
  {
    name: 'only sessions can read the number of tasks',
    caughtBy: ['discovery/no-session'],
    wire: () => ({
      request: (request) =>
        isFor(request, 'num_tasks') &&
        request.headers['x-session-id'] === undefined &&
        typeof fields(request).split === 'string'
          ? refuse(400, 'X-Session-ID header is required')
          : request,
    }),
  },
  {
    name: 'discovery with an id opens an episode under it',
    caughtBy: ['discovery/no-effect'],
    wire: openedByDiscovery,
  },
];

function openedByDiscovery(): Wire {
  const created = new Set<unknown>();
  const seen = new Set<unknown>();
  return {
    request(request) {
      const sid = request.headers['x-session-id'];
      if (request.path === '/create') created.add(sid);
      if (isDiscovery(request) && !created.has(sid)) seen.add(sid);
      return request.path === '/ping' && seen.has(sid) && !created.has(sid) ? answer(200, { status: 'ok' }) : request;
    },
  };
}
