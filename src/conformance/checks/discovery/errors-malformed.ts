import { mapConcurrent } from '../../../core/index.ts';
import type { Check } from '../../check.ts';
import type { Probe } from '../../probe/index.ts';
import { ensure } from '../../verdict.ts';
import { fuzz } from './fuzz.ts';
import { describe, knownMalformed, type Malformed } from './malformed.ts';
import { sendText } from './send-text.ts';

const AT_ONCE = 8;
const MOST_EPISODES = 12;
const MOST_NAMED = 3;

export const malformedChecks: readonly Check[] = [
  {
    id: 'error/malformed',
    title: 'Well-known malformed requests are not answered with 5xx',
    requirement: 'ORS-ERR-005',
    profile: 'core',
    needs: ['task'],
    cost: { sessions: 2 },
    run: (probe) => withstands(probe, knownMalformed(probe), 2),
  },
  {
    id: 'error/fuzz',
    title: 'Hundreds of random malformed requests over all routes are not answered with 5xx',
    requirement: 'ORS-ERR-005',
    profile: 'full',
    needs: ['task'],
    cost: { sessions: MOST_EPISODES },
    async run(probe) {
      const source = fuzz(probe);
      const requests = Array.from({ length: probe.loads.malformed }, () => source.next().value);
      await withstands(probe, requests, MOST_EPISODES);
    },
  },
];

/** Sends requests, in at most so many sessions; each must get an answer below 500. */
async function withstands(probe: Probe, requests: readonly Malformed[], mostSessions: number): Promise<void> {
  const { sid: open } = await probe.episode();
  let sessions = 1;
  let issued: string | undefined = await probe.newSid();
  const faults: string[] = [];
  const send = async (request: Malformed): Promise<void> => {
    const isCreate = request.path.startsWith('/create?') || request.path === '/create';
    const sid = request.session === 'open' ? open : request.session === 'issued' ? issued : request.session;
    const answer = await answerTo(probe, request, sid);
    if (answer.status >= 500 || answer.status === 0) faults.push(`${describe(request)} gave ${answer.summary}`);
    if (isCreate && answer.status === 200 && sid === issued)
      issued = ++sessions < mostSessions ? await probe.newSid() : undefined;
  };
  await mapConcurrent(requests, AT_ONCE, send);
  const more = faults.length > MOST_NAMED ? `; and ${faults.length - MOST_NAMED} more` : '';
  ensure(faults.length === 0, `of ${requests.length} requests: ${faults.slice(0, MOST_NAMED).join('; ')}${more}`);
}

async function answerTo(
  probe: Probe,
  { method, path, body, contentType, headers = [], asText }: Malformed,
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
  const answer = await probe.send(method, path, options);
  // A server that refuses a body before it has read it may lose its own answer.
  return answer.status === 0 ? await probe.send(method, path, options) : answer;
}
