import { element, folded, milliseconds, plural, visible } from './elements.js';
import { filter, LEVELS, nameOf, remember, results, SIGNS } from './results.js';

function checkParts(result) {
  const { requirement, level, contested, sentence, document: source, heading, title, message, notes } = result;
  const { exchanges, exchanges_left_out: leftOut, expected_failure: expected, state } = result;
  const strength = contested ? `${LEVELS[level]}, contested` : LEVELS[level];
  const last = exchanges.length - 1;
  return [
    element(
      'div',
      { class: 'inside' },
      ...(message === null ? [] : [element('p', { class: 'message' }, ...visible(message))]),
      ...(expected === null ? [] : [element('p', {}, 'Expected: ', ...visible(expected))]),
      ...notes.map((note) => element('p', {}, 'Observed: ', ...visible(note))),
      element('p', {}, element('b', {}, `${requirement}, ${strength}: `), sentence),
      element(
        'p',
        { class: 'soft' },
        `${source}, ${heading} · the check: ${title} · ${milliseconds(result.duration_ms)}`,
      ),
      ...(leftOut > 0
        ? [element('p', { class: 'soft' }, `${plural(leftOut, 'exchange')} before these are omitted.`)]
        : []),
      ...exchanges.map((exchange, index) => exchangeElement(exchange, index === last && state !== 'pass')),
    ),
  ];
}

export function checkElement(result) {
  const { check, state, message, title, requirement, level, expected_failure } = result;
  const name = expected_failure === null ? nameOf(state) : `${nameOf(state)}, expected`;
  const line = element(
    'summary',
    { class: 'line' },
    element('span', { class: 'state' }, `${SIGNS[state]} ${name}`),
    element('span', { class: 'id' }, check),
    element('span', { class: 'said' }, ...visible((message ?? title).slice(0, 400))),
    element('span', { class: 'which' }, `${requirement} ${LEVELS[level]}`),
  );
  const made = folded({ class: 'check', 'data-state': state, id: `check:${check}` }, line, () => checkParts(result));
  made.addEventListener('toggle', () => {
    if (made.open) remember({ ...filter, check });
    else if (filter.check === check) remember({ ...filter, check: '' });
  });
  return made;
}

const textEncoder = new TextEncoder();

function bytesOf({ encoding, content }) {
  if (encoding === 'utf-8') return textEncoder.encode(content);
  return Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
}

function bodyText(body) {
  const shown = body.encoding === 'utf-8' ? visible(body.content) : [body.content];
  return element('pre', { tabindex: '0' }, ...shown);
}

function bodyTitle(name, body) {
  const facts = [
    plural(body.length, 'byte'),
    ...(body.encoding === 'base64' ? ['not UTF-8, shown as base64'] : []),
    ...(body.is_cut ? ['only the beginning is kept'] : []),
  ];
  return element('h3', {}, `${name} (${facts.join(', ')})`);
}

/** Shows the body in chunks, each with its time after the request. */
function piecesOf({ pieces, response_body: body, sent_at_ms: sent }) {
  const bytes = bytesOf(body);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let from = 0;
  const rows = pieces.flatMap(({ at_ms, bytes: count }) => {
    const part = decoder.decode(bytes.subarray(from, from + count), { stream: true });
    from += count;
    return [element('span', { class: 'time' }, `+${milliseconds(at_ms - sent)}`), element('pre', {}, ...visible(part))];
  });
  return element('div', { class: 'pieces', tabindex: '0' }, ...rows);
}

const headersText = (headers) =>
  element('pre', {}, ...visible(headers.map(({ name, value }) => `${name}: ${value}`).join('\n')));

async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'copied';
  } catch {
    getSelection().selectAllChildren(button.previousElementSibling);
    button.textContent = 'selected';
  }
  setTimeout(() => {
    button.textContent = 'copy';
  }, 1500);
}

function curlBox(curl) {
  const button = element('button', { type: 'button', 'aria-label': 'copy the curl line' }, 'copy');
  button.addEventListener('click', () => copy(curl, button));
  return element('div', { class: 'copied' }, element('pre', { tabindex: '0' }, ...visible(curl)), button);
}

function exchangeParts(exchange) {
  const { curl, request_headers, request_body, status, response_headers, response_body, failure } = exchange;
  const isStream = response_headers.some(
    ({ name, value }) => /^content-type$/i.test(name) && /event-stream/i.test(value),
  );
  const inPieces = response_body.encoding === 'utf-8' && (isStream || exchange.pieces.length > 1);
  return [
    element(
      'div',
      {},
      ...(curl === null ? [] : [element('h3', {}, exchange.method === 'RAW' ? 'Shell' : 'curl'), curlBox(curl)]),
      ...(request_headers.length > 0 ? [element('h3', {}, 'Request headers'), headersText(request_headers)] : []),
      ...(request_body ? [bodyTitle('Request body', request_body), bodyText(request_body)] : []),
      ...(status === null ? [] : [element('h3', {}, `Response ${status}`)]),
      ...(response_headers.length > 0 ? [headersText(response_headers)] : []),
      ...(response_body.length > 0
        ? [bodyTitle('Response body', response_body), inPieces ? piecesOf(exchange) : bodyText(response_body)]
        : []),
      ...(failure === null ? [] : [element('h3', {}, 'No complete response'), element('p', {}, ...visible(failure))]),
    ),
  ];
}

function exchangeElement(exchange, isOpen) {
  const { number, method, url, status, failure, sent_at_ms: sent, ended_at_ms: ended } = exchange;
  const base = new URL(results.url);
  const path = url.startsWith(base.origin) ? url.slice(base.origin.length) : url;
  const came = failure === null ? String(status) : `${status ?? 'no response'} (${failure})`;
  const took = ended === null ? '' : ` · ${milliseconds(ended - sent)}`;
  const line = element(
    'summary',
    { class: 'request' },
    ...visible(`${number}  ${method} ${path || '/'} → ${came}${took}`),
  );
  const made = folded({ class: 'exchange' }, line, () => exchangeParts(exchange));
  made.open = isOpen;
  return made;
}
