import type { Probe } from '../../probe/index.ts';

/** What came back for a request that was written as text. */
export interface RawTextResponse {
  /** 0 if nothing came that is HTTP. */
  readonly status: number;
  readonly body: string;
  readonly summary: string;
}

const WAIT_MS = 10_000;

/** Sends a request without a body, whose path is left exactly as it is, on a connection of its own. */
export async function sendText(probe: Probe, method: string, path: string): Promise<RawTextResponse> {
  const exchange = await probe.raw(probe.textOf(method, path, { headers: [['Connection', 'close']] }), WAIT_MS);
  const text = Buffer.concat(exchange.chunks.map(({ bytes }) => bytes)).toString('latin1');
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1] ?? 0);
  const end = text.indexOf('\r\n\r\n');
  return {
    status,
    body: end < 0 ? '' : text.slice(end + 4),
    summary: status > 0 ? String(status) : `no answer (${exchange.failure ?? 'the connection was closed'})`,
  };
}
