import type { ConformanceCheck } from '../../../src/conformance/check.ts';
import { parseHttpResponses } from '../../../src/conformance/checks/raw-http.ts';
import { type Exchange, ProbeConnection, ProbeRequests } from '../../../src/conformance/probe/index.ts';
import type { CheckRunResult } from '../../../src/conformance/result.ts';
import { discoverTarget } from '../../../src/conformance/target.ts';
import { serveFixture } from './healthy.ts';
import type { Mutant } from './mutant.ts';
import { mutate, type Wire, type WireAnswer, type WireRequest } from './wire.ts';

/** A layer that takes longer has waited for something. */
const AT_ONCE_MS = 50;

/**
 * Returns the checks whose result a mutant can change: those with an exchange with the healthy server that the mutant
 * changes, and those that are declared to detect it. A fault inside the server can affect all checks.
 */
export async function affectedBy(
  mutant: Pick<Mutant, 'wire' | 'server' | 'caughtBy' | 'spreads'>,
  checks: readonly ConformanceCheck[],
  healthy: readonly CheckRunResult[],
): Promise<readonly ConformanceCheck[]> {
  const { wire } = mutant;
  if (mutant.spreads) return checks.filter(({ id }) => mutant.caughtBy.includes(id));
  if (!wire || mutant.server) return checks;
  // Servers of the healthy run number theirs independently.
  const exchanges = new Set(healthy.flatMap((result) => result.exchanges));
  const layer = wire();
  const changed = new Set<Exchange>();
  for (const exchange of [...exchanges].sort((a, b) => a.number - b.number)) {
    // A layer that throws closes the connection.
    if (await changes(layer, exchange).catch(() => true)) changed.add(exchange);
  }
  const affected = new Set(
    healthy.filter((result) => result.exchanges.some((exchange) => changed.has(exchange))).map(({ check }) => check),
  );
  // Checks that only send raw bytes do not use the discovered target.
  const asks = new Set(healthy.filter(({ exchanges }) => exchanges.some(isNotRaw)).map(({ check }) => check));
  const isAnother = await changesTarget(wire);
  return checks.filter(({ id }) => affected.has(id) || (isAnother && asks.has(id)) || mutant.caughtBy.includes(id));
}

const isNotRaw = ({ method }: Exchange) => method !== 'RAW';

/** Returns whether discovery returns a different target. */
async function changesTarget(wire: () => Wire): Promise<boolean> {
  await using server = await serveFixture();
  await using layer = await mutate(server.url, wire());
  const [plain, mutated] = await Promise.all([server.url, layer.url].map(look));
  return plain !== mutated;
}

async function look(url: string): Promise<string> {
  using connection = new ProbeConnection({ url: new URL(url), headers: [], timeoutMs: 30_000, tls: {} });
  return await discoverTarget(new ProbeRequests(connection), {}).then(JSON.stringify, String);
}

const known = new WeakMap<Exchange, readonly Pair[]>();

function pairsOf(exchange: Exchange): readonly Pair[] {
  const pairs = known.get(exchange) ?? (exchange.method === 'RAW' ? rawPairs(exchange) : [pairOf(exchange)]);
  known.set(exchange, pairs);
  return pairs;
}

/** A request with its response, if there was one. */
interface Pair {
  readonly request: WireRequest;
  readonly answer: WireAnswer | undefined;
}

async function changes(layer: Wire, exchange: Exchange): Promise<boolean> {
  if (exchange.method === 'RAW' && (layer.server || layer.parsing || layer.takesBrokenBodies)) return true;
  for (const pair of pairsOf(exchange)) {
    if (await changesPair(layer, pair)) return true;
  }
  return false;
}

async function changesPair(layer: Wire, { request, answer }: Pair): Promise<boolean> {
  if (layer.request && !isSame(await layer.request(request), request)) return true;
  if (!answer) return false;
  if (!String(answer.headers['content-type']).startsWith('text/event-stream')) {
    return layer.answer !== undefined && !isSame(await layer.answer(answer, request), answer);
  }
  if ((layer.ending ?? 'end') !== 'end') return true;
  const { body, ...head } = answer;
  if (layer.head && !isSame({ ...head, ...layer.head(head, request) }, head)) return true;
  if (!layer.frames) return false;
  const late = new Promise<boolean>((resolve) => setTimeout(resolve, AT_ONCE_MS, true));
  return await Promise.race([changesFrames(layer.frames.bind(layer), body.toString(), request), late]);
}

/** Returns whether a layer changes, delays or drops frames. */
async function changesFrames(
  frames: NonNullable<Wire['frames']>,
  text: string,
  request: WireRequest,
): Promise<boolean> {
  let held = 0;
  let last = '';
  async function* source() {
    for (const frame of text.split(/(?<=\n\n)/)) {
      held++;
      last = frame;
      yield frame;
      if (held > 0) throw new Error('this frame was not passed on');
    }
  }
  try {
    for await (const piece of frames(source(), request)) {
      held--;
      if (piece !== last || held !== 0) return true;
    }
  } catch {
    return true;
  }
  return false;
}

function pairOf({ method, url, requestHeaders, requestBody, status, responseHeaders, chunks }: Exchange): Pair {
  const { pathname, search } = new URL(url);
  const body = Buffer.from(requestBody ?? '');
  const request = { method, path: pathname + search, headers: byName(requestHeaders), body };
  if (status === undefined) return { request, answer: undefined };
  return { request, answer: { status, headers: byName(responseHeaders), body: joined(chunks) } };
}

/** Returns the valid HTTP requests in raw bytes; the layer itself rejects others. */
function rawPairs({ requestBody, chunks }: Exchange): Pair[] {
  const answers = parseHttpResponses(joined(chunks)).filter(({ status }) => status >= 200);
  const heads = /([A-Z]+) (\/\S*) HTTP\/1\.1\r\n((?:[^\r\n:]+:[^\r\n]*\r\n)*)\r\n/y;
  const text = Buffer.from(requestBody ?? '').toString('latin1');
  const pairs: Pair[] = [];
  for (let head = heads.exec(text); head; head = heads.exec(text)) {
    const [, method = '', path = '', lines = ''] = head;
    const fields = lines.split('\r\n').map((line) => line.split(/:(.*)/s, 2) as [string, string?]);
    const headers = byName(fields.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));
    const body = text.slice(heads.lastIndex, heads.lastIndex + Number(headers['content-length'] ?? 0));
    heads.lastIndex += body.length;
    const answer = answers[pairs.length];
    pairs.push({
      request: { method, path, headers, body: Buffer.from(body) },
      answer: answer && { ...answer, headers: Object.fromEntries(answer.headers), body: Buffer.from(answer.body) },
    });
  }
  return pairs;
}

const joined = (pieces: Exchange['chunks']) => Buffer.concat(pieces.map(({ bytes }) => bytes));

/** Returns headers as a layer receives them: trimmed, and repeated headers as an array. */
function byName(headers: Exchange['responseHeaders']): Record<string, string | string[]> {
  const all: Record<string, string | string[]> = {};
  for (const [spelled, value] of headers) {
    const name = spelled.toLowerCase();
    const before = all[name];
    all[name] = before === undefined ? value.trim() : [before, value.trim()].flat();
  }
  return all;
}

type Message = WireRequest | WireAnswer | Omit<WireAnswer, 'body'>;

/** Compares messages; an undefined header counts as absent. */
function isSame(one: Message, other: Message): boolean {
  if (one === other) return true;
  const [{ body: bytes, ...head }, { body: otherBytes, ...otherHead }] = [one, other] as [WireAnswer, WireAnswer];
  return JSON.stringify(head) === JSON.stringify(otherHead) && (bytes === otherBytes || bytes.equals(otherBytes));
}
