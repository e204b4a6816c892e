import type { EvidenceBody, EvidenceExchange } from '../../../generated/conformance-results.ts';
import { bareHost, shellQuote } from '../../core/index.ts';

/** A longer body is no line to copy. */
const MAX_BODY_LENGTH = 8_192;

/**
 * A line for bash or zsh that sends the same request, with the options that reach the server; null where there is none
 * that is short enough.
 */
export function curlLine(
  exchange: Pick<EvidenceExchange, 'method' | 'url' | 'request_headers' | 'request_body'>,
  options: readonly string[] = [],
): string | null {
  const { method, url, request_headers: headers, request_body: body } = exchange;
  if (body && (body.is_cut || body.content.length > MAX_BODY_LENGTH)) return null;
  if (method === 'RAW') return rawLine(url, body);
  // curl reads the argument as text, and stops at a zero byte.
  if (body && (body.encoding === 'base64' || body.content.includes('\0'))) return null;
  const words = ['curl', '-sSi', '-N', ...options.map(shellQuote)];
  if (/[[\]{}]/.test(url)) words.push('-g');
  if (/\/\.\.?(\/|$|\?)/.test(url)) words.push('--path-as-is');
  if (method === 'HEAD') words.push('--head');
  else if (method !== 'GET' || body) words.push('-X', shellQuote(method));
  words.push(shellQuote(url));
  for (const { name, value } of headers) words.push('-H', shellQuote(value === '' ? `${name};` : `${name}: ${value}`));
  if (body && body.content !== '') {
    // Left alone, curl calls every body a form.
    if (!headers.some(({ name }) => name.toLowerCase() === 'content-type'))
      words.push('-H', shellQuote('Content-Type:'));
    words.push('--data-raw', shellQuote(body.content));
  }
  return words.join(' ');
}

/** Bytes as they are, for a connection of their own. */
function rawLine(address: string, body: EvidenceBody | null): string | null {
  const { protocol, hostname, port } = new URL(address);
  if (protocol !== 'http:' || !body) return null;
  const bytes = Buffer.from(body.content, body.encoding === 'base64' ? 'base64' : 'utf8');
  const written = [...bytes].map((byte) =>
    byte >= 0x20 && byte < 0x7f && !"\\'%".includes(String.fromCharCode(byte))
      ? String.fromCharCode(byte)
      : `\\${byte.toString(8).padStart(3, '0')}`,
  );
  return `printf '${written.join('')}' | nc ${shellQuote(bareHost(hostname))} ${port || '80'}`;
}
