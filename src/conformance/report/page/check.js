import { element, folded, milliseconds, plural, visible } from './elements.js';
import { exchangeElement } from './exchange.js';
import { filter, remember } from './filter.js';
import { LEVELS, nameOf, SIGNS } from './results.js';

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
      ...notes.map((note) => element('p', {}, 'Seen: ', ...visible(note))),
      element('p', {}, element('b', {}, `${requirement}, ${strength}: `), sentence),
      element(
        'p',
        { class: 'soft' },
        `${source}, ${heading} · the check: ${title} · ${milliseconds(result.duration_ms)}`,
      ),
      ...(leftOut > 0
        ? [element('p', { class: 'soft' }, `${plural(leftOut, 'exchange')} before these are left out.`)]
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
