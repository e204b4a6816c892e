import type { Exchange, Probe } from '../../probe/index.ts';
import { given } from '../../verdict.ts';

/** What came back for a request that was written as text. */
export interface TextAnswer {
  /** 0 if nothing came that is HTTP. */
  readonly status: number;
  readonly body: string;
  readonly exchange: Exchange;
}

const WAIT_MS = 10_000;

/** Sends a request without a body whose target is left exactly as it is, on a connection of its own. */
export async function sendText(probe: Probe, method: string, target: string): Promise<TextAnswer> {
  const health = await probe.send('GET', '/health');
  given(health.status !== 0, `the server cannot be reached: ${health.summary}`);
  const { url, requestHeaders } = health.exchange;
  const { host, pathname } = new URL(url);
  const base = pathname.slice(0, -'/health'.length);
  const headers = [['Host', host], ['Connection', 'close'], ...requestHeaders].map(
    ([name, value]) => `${name}: ${value}`,
  );
  const exchange = await probe.raw(`${method} ${base}${target} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`, WAIT_MS);
  const text = Buffer.concat(exchange.pieces.map(({ bytes }) => bytes)).toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1] ?? 0);
  return { status, body: end < 0 ? '' : text.slice(end + 4), exchange };
}
