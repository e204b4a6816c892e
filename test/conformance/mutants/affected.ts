import type { Check } from '../../../src/conformance/check.ts';
import { FIXTURE } from '../../../src/conformance/fixture.ts';
import { Connection, type Exchange, Requests } from '../../../src/conformance/probe/index.ts';
import type { Result } from '../../../src/conformance/result.ts';
import { findTarget } from '../../../src/conformance/target.ts';
import { serveFixture } from './healthy.ts';
import type { Mutant } from './mutant.ts';
import { mutate, type Wire, type WireAnswer, type WireRequest } from './wire.ts';

/** Longer, and a layer has waited for something. */
const AT_ONCE_MS = 50;

/**
 * The checks whose result a mutant can change: those of whose exchanges with the healthy server it would change one. The
 * others would see what they saw there. A fault inside of the server can be seen anywhere; what comes with time alone,
 * by those that are declared to notice it.
 */
export async function affectedBy(
  mutant: Pick<Mutant, 'wire' | 'server' | 'caughtBy'>,
  checks: readonly Check[],
  healthy: readonly Result[],
): Promise<readonly Check[]> {
  const { wire } = mutant;
  if (!wire || mutant.server || (await changesTarget(wire))) return checks;
  const exchanges = new Map(
    healthy.flatMap((result) => result.exchanges.map((exchange) => [exchange.number, exchange])),
  );
  const layer = wire();
  const changed = new Set<number>();
  for (const [number, exchange] of [...exchanges].sort(([a], [b]) => a - b)) {
    // A layer that throws closes the connection.
    if (await changes(layer, exchange).catch(() => true)) changed.add(number);
  }
  const affected = new Set(
    healthy.filter((result) => result.exchanges.some(({ number }) => changed.has(number))).map(({ check }) => check),
  );
  return checks.filter(({ id }) => affected.has(id) || mutant.caughtBy.includes(id));
}

/** Whether the server looks another one from the beginning. */
async function changesTarget(wire: () => Wire): Promise<boolean> {
  await using server = await serveFixture();
  await using layer = await mutate(server.url, wire());
  const [plain, mutated] = await Promise.all([server.url, layer.url].map(look));
  return plain !== mutated;
}

async function look(url: string): Promise<string> {
  using connection = new Connection({ url: new URL(url), headers: [], timeoutMs: 5_000, tls: {} });
  return await findTarget(new Requests(connection), {}, FIXTURE).then(JSON.stringify, String);
}

async function changes(layer: Wire, exchange: Exchange): Promise<boolean> {
  // Those were written by hand; how a layer would read them is not known.
  if (exchange.method === 'RAW') return true;
  const request = requestOf(exchange);
  if (layer.request && !isSame(await layer.request(request), request)) return true;
  const { status } = exchange;
  if (status === undefined) return false;
  const head = { status, headers: byName(exchange.responseHeaders) };
  const body = Buffer.concat(exchange.pieces.map(({ bytes }) => bytes));
  if (!String(head.headers['content-type']).startsWith('text/event-stream')) {
    const answer: WireAnswer = { ...head, body };
    return layer.answer !== undefined && !isSame(await layer.answer(answer, request), answer);
  }
  if ((layer.ending ?? 'end') !== 'end') return true;
  if (layer.head && !isSame({ ...head, ...layer.head(head, request) }, head)) return true;
  if (!layer.frames) return false;
  const late = new Promise<boolean>((resolve) => setTimeout(resolve, AT_ONCE_MS, true).unref());
  return await Promise.race([changesFrames(layer.frames.bind(layer), body.toString(), request), late]);
}

/** Whether a layer passes on anything but each frame as it is, as soon as it has it. */
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

function requestOf({ method, url, requestHeaders, requestBody }: Exchange): WireRequest {
  const { pathname, search } = new URL(url);
  return { method, path: pathname + search, headers: byName(requestHeaders), body: Buffer.from(requestBody ?? '') };
}

/** As a layer gets them: without white space around them, and a name with several lines keeps them. */
function byName(headers: Exchange['responseHeaders']): Record<string, string | string[]> {
  const all: Record<string, string | string[]> = {};
  for (const [spelled, value] of headers) {
    const name = spelled.toLowerCase();
    const before = all[name];
    all[name] = before === undefined ? value.trim() : [before, value.trim()].flat();
  }
  return all;
}

const isSame = (one: object, other: object): boolean => one === other || JSON.stringify(one) === JSON.stringify(other);
