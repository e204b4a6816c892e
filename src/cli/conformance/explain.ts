import type { CheckResult, ConformanceResults } from '../../conformance/index.ts';
import { oneLine, stripControls, truncate } from '../../core/index.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { wrapText } from '../terminal/wrap.ts';
import { stateText } from './show-results.ts';

const SHOWN_ANSWER = 400;

/** What came of a check, and the requests that it made, as lines to copy. */
export function showEvidence(result: CheckResult, { url }: ConformanceResults, terminal: Terminal): string {
  const { state, message, notes, exchanges, exchanges_left_out: leftOut } = result;
  const texts = [...(message === null ? [] : [message]), ...notes.map((note) => `seen: ${note}`)];
  const told = texts.map((text) => `${wrapText(stripControls(text), terminal.width, '    ')}\n`).join('');
  const before = leftOut > 0 ? `    (${leftOut} requests before these are left out)\n` : '';
  const requests = exchanges.map((exchange) => exchangeText(exchange, terminal)).join('');
  const made = exchanges.length === 0 ? 'made no request' : 'made these requests';
  return `\n  On ${url}: ${stateText(state, terminal)}; the check ${made}.\n${told}${before}${requests}`;
}

function exchangeText(exchange: CheckResult['exchanges'][number], terminal: Terminal): string {
  const { curl, method, url, status, failure, response_body: body } = exchange;
  const line = curl ?? `${method} ${url} (its body is too large, or no text)`;
  const came = failure === null ? String(status) : `${status ?? 'no answer'} (${failure})`;
  const content = body.encoding === 'utf-8' ? body.content : `${body.length} bytes that are not UTF-8`;
  const response = truncate(oneLine(`${came} ${content}`), SHOWN_ANSWER);
  return `\n  ${terminal.style('cyan', oneLine(line))}\n${wrapText(response, terminal.width, '    ')}\n`;
}
