import { mapConcurrent } from '../../../core/index.ts';
import type { ConformanceCheck } from '../../check.ts';
import type { Probe } from '../../probe/index.ts';
import { assertConforms } from '../../verdict.ts';
import { fuzz } from './fuzz.ts';
import { describeRequest, knownMalformedRequests, type MalformedRequest } from './malformed.ts';
import { sendText } from './send-text.ts';

const AT_ONCE = 8;
const MAX_EPISODES = 12;
const MAX_NAMED = 3;

export const malformedChecks: readonly ConformanceCheck[] = [
  {
    id: 'error/malformed',
    title: 'Well-known malformed requests are not answered with 5xx',
    requirement: 'ORS-ERR-005',
    profile: 'core',
    needs: ['task'],
    cost: { sessions: 2 },
    run: (probe) => withstands(probe, knownMalformedRequests(probe), 2),
  },
  {
    id: 'error/fuzz',
    title: 'Hundreds of random malformed requests over all routes are not answered with 5xx',
    requirement: 'ORS-ERR-005',
    profile: 'full',
    needs: ['task'],
    cost: { sessions: MAX_EPISODES },
    async run(probe) {
      const source = fuzz(probe);
      const requests = Array.from({ length: probe.loads.malformed }, () => source.next().value);
      await withstands(probe, requests, MAX_EPISODES);
    },
  },
];

/** Sends requests, in at most so many sessions; each must get an answer below 500. */
async function withstands(probe: Probe, requests: readonly MalformedRequest[], mostSessions: number): Promise<void> {
  const { sid: open } = await probe.episode();
  let sessions = 1;
  let issued: string | undefined = await probe.createSessionId();
  const faults: string[] = [];
  const send = async (request: MalformedRequest): Promise<void> => {
    const isCreate = request.path.startsWith('/create?') || request.path === '/create';
    const sid = request.session === 'open' ? open : request.session === 'issued' ? issued : request.session;
    const response = await answerTo(probe, request, sid);
    if (response.status >= 500 || response.status === 0)
      faults.push(`${describeRequest(request)} gave ${response.summary}`);
    if (isCreate && response.status === 200 && sid === issued)
      issued = ++sessions < mostSessions ? await probe.createSessionId() : undefined;
  };
  await mapConcurrent(requests, AT_ONCE, send);
  const more = faults.length > MAX_NAMED ? `; and ${faults.length - MAX_NAMED} more` : '';
  assertConforms(
    faults.length === 0,
    `of ${requests.length} requests: ${faults.slice(0, MAX_NAMED).join('; ')}${more}`,
  );
}

async function answerTo(
  probe: Probe,
  { method, path, body, contentType, headers = [], asText }: MalformedRequest,
  sid: string | undefined,
): Promise<{ status: number; summary: string }> {
  if (asText) return await sendText(probe, method, path);
  const type = contentType ?? (body === undefined ? undefined : 'application/json');
  const options = {
    ...(body !== undefined && { body }),
    ...(sid !== undefined && { sid }),
    headers: [...(type === undefined ? [] : [['Content-Type', type] as const]), ...headers],
    timeoutMs: Math.min(probe.timeoutMs, 10_000),
  };
  const response = await probe.send(method, path, options);
  // A server that refuses a body before it has read it may lose its own answer.
  return response.status === 0 ? await probe.send(method, path, options) : response;
}
