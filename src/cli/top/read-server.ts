import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { deadlineSignal, failureReason, fieldsOf, oneLine, truncate, tryParseJson } from '../../core/index.ts';
import { CliError } from '../failure.ts';
import type { ConnectionFlags } from '../remote/connection-options.ts';
import type { ServerSnapshot } from './overview.ts';
import { sumMetric, toScrape } from './scrape.ts';

/** How long an answer may take if nothing is said. */
export const DEFAULT_TIMEOUT_SECONDS = 5;
/** More than the metrics of any server are. */
const MAX_BYTES = 32 * 1024 * 1024;

interface HttpReply {
  readonly status: number;
  readonly body: string;
}

/**
 * Asks a server how it is doing.
 *
 * @throws Failure if it does not answer, wants a key, or has no metrics of ours.
 */
export async function scrapeServer(url: string, flags: ConnectionFlags, signal: AbortSignal): Promise<ServerSnapshot> {
  const ask = (path: string) =>
    get(url + path, flags, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      const cause = oneLine(failureReason(error));
      throw new CliError(`no answer from ${url}: ${cause}; check the address, and that the server runs`);
    });
  const [metrics, ready] = await Promise.all([ask('/metrics'), ask('/ready')]);
  refuse(url, metrics);
  const scrape = toScrape(metrics.body, performance.now());
  if (sumMetric(scrape, 'ors_build_info') === 0)
    throw new CliError(`${url}/metrics holds none of an ORS server; ${ADVICE}`);
  return { scrape, ready: ready.status === 200, time: Date.now() / 1_000 };
}

const ADVICE = 'ors top watches servers that ors serve, or ors-kit in another program, runs';

function refuse(url: string, { status, body }: HttpReply): void {
  if (status === 200) return;
  const output = `${url}/metrics answered ${status} ${detailOf(body)}`.trim();
  if (status === 401 || status === 403) throw new CliError(`${output}; give a key with --api-key or ORS_API_KEY`);
  if (status === 404 || status === 405) throw new CliError(`${output}: it has no metrics, or they are off; ${ADVICE}`);
  throw new CliError(output);
}

function detailOf(body: string): string {
  const { detail } = fieldsOf(tryParseJson(body));
  return typeof detail === 'string' ? truncate(oneLine(detail), 200) : '';
}

function get(target: string, flags: ConnectionFlags, signal: AbortSignal): Promise<HttpReply> {
  const { apiKey, header, ca, timeout = DEFAULT_TIMEOUT_SECONDS } = flags;
  const isSecure = /^https:/i.test(target);
  const headers = { ...(apiKey !== undefined && { 'X-API-Key': apiKey }), ...header };
  const deadline = deadlineSignal(timeout * 1_000, () => new Error(`nothing came within ${timeout} s`), signal);
  const options = { headers, agent: false, signal: deadline.signal, ...(isSecure && ca && { ca }) };
  const response = new Promise<HttpReply>((resolve, reject) => {
    const fail = (error: Error) => reject(deadline.isTimedOut ? deadline.signal.reason : error);
    const request = (isSecure ? requestHttps : requestHttp)(target, options, (response) => {
      const parts: Buffer[] = [];
      let length = 0;
      response.on('data', (part: Buffer) => {
        length += part.length;
        parts.push(part);
        if (length > MAX_BYTES) request.destroy(new Error(`it sends more than ${MAX_BYTES} bytes`));
      });
      response.on('error', fail);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts).toString() }));
    });
    request.on('error', fail);
    request.end();
  });
  return response.finally(deadline.release);
}
