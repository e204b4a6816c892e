import { checkElement } from './checks.js';
import { element, folded, milliseconds, plural, unfold, visible } from './elements.js';
import {
  byId,
  chosenStates,
  filter,
  groupOf,
  LEVELS,
  matches,
  nameOf,
  remember,
  reread,
  results,
  SIGNS,
  unique,
} from './results.js';

function countsText(ofGroup) {
  return Object.keys(SIGNS)
    .map((state) => [state, ofGroup.filter((result) => result.state === state).length])
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${count} ${nameOf(state)}`)
    .join(' · ');
}

/** Folds the passed checks unless a filter is active, so that the others are visible. */
function groupElement(group, shown, isFiltered) {
  const passes = shown.filter(({ state }) => state === 'pass');
  const heading = element('h2', {}, group, element('small', {}, countsText(shown)));
  if (isFiltered || passes.length === 0) return element('section', {}, heading, ...shown.map(checkElement));
  const others = shown.filter(({ state }) => state !== 'pass');
  const line = element(
    'summary',
    { class: 'fold' },
    passes.length === 1 ? '1 check passes' : `${passes.length} checks pass`,
  );
  const fold = folded({ class: 'passes', 'data-group': group }, line, () => passes.map(checkElement));
  return element('section', {}, heading, ...others.map(checkElement), fold);
}

function showChecks() {
  const isFiltered = ['state', 'level', 'group', 'text'].some((key) => filter[key] !== '');
  const shown = results.results.filter(matches);
  const groups = unique(shown.map(groupOf)).map((group) =>
    groupElement(
      group,
      shown.filter((result) => groupOf(result) === group),
      isFiltered,
    ),
  );
  byId('checks').replaceChildren(
    ...(groups.length > 0 ? groups : [element('p', { class: 'soft' }, 'No check matches the filter.')]),
  );
  byId('shown').textContent = `${shown.length} of ${plural(results.results.length, 'check')}`;
}

/** Opens the check that the address names. */
function openNamed() {
  const { check } = filter;
  const find = () => byId(`check:${check}`);
  const fold = document.querySelector(`.passes[data-group="${CSS.escape(groupOf({ check }))}"]`);
  const isFolded = results.results.some((each) => each.check === check && each.state === 'pass');
  if (!find() && fold && isFolded) unfold(fold);
  const made = find();
  if (!made) return;
  unfold(made);
  made.firstElementChild.scrollIntoView({ block: 'center' });
}

function showFilter() {
  const counts = (state) => results.results.filter((result) => result.state === state).length;
  const buttons = Object.keys(SIGNS)
    .filter((state) => counts(state) > 0)
    .map((state) => {
      const isOn = chosenStates().includes(state);
      const button = element(
        'button',
        { type: 'button', 'aria-pressed': String(isOn), 'data-state': state },
        element('b', {}, SIGNS[state]),
        ` ${nameOf(state)} ${counts(state)}`,
      );
      button.addEventListener('click', () => toggleState(state));
      return button;
    });
  byId('states').replaceChildren(...buttons);
  for (const name of ['level', 'group', 'text']) byId('filter').elements[name].value = filter[name];
}

function toggleState(state) {
  const states = chosenStates();
  const next = states.includes(state) ? states.filter((each) => each !== state) : [...states, state];
  remember({ ...filter, state: next.join(',') });
  showAll();
  document.querySelector(`#states [data-state="${state}"]`)?.focus();
}

function showVerdict() {
  const { outcome, reasons } = results.verdict;
  const state = { conforms: 'pass', violations: 'fail', 'harness-error': 'harness-error' }[outcome] ?? 'warn';
  byId('verdict').dataset.state = state;
  if (reasons.length > 0) {
    byId('verdict').append(element('ul', {}, ...reasons.map((reason) => element('li', {}, ...visible(reason)))));
  }
}

function showFacts() {
  const { budget, used } = results;
  const seconds = budget.seconds === null ? '' : ` of ${budget.seconds} s`;
  const facts = [
    ['Suite', results.suite],
    ['Requirements', `revision ${results.requirements_revision}`],
    ['Profiles', results.profiles.join(', ')],
    ['Environments', results.environments.join(', ')],
    ['Started', `${results.started_at.replace('T', ' ').replace(/\..*/, '')} UTC`],
    ['Time', `${milliseconds(results.duration_ms)}${seconds}`],
    ['Sessions', `${used.sessions} of ${budget.sessions}`],
    ['Calls', `${used.calls} of ${budget.calls}`],
    ['Seed', String(results.seed)],
  ];
  const rows = facts.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, ...visible(value))]);
  byId('facts').append(element('dl', {}, ...rows));
}

function showAll() {
  showFilter();
  showChecks();
}

function begin() {
  const form = byId('filter');
  const add = (name, values, text) =>
    form.elements[name].append(...values.map((value) => element('option', { value }, text(value))));
  add('level', unique(results.results.map(({ level }) => level)), (level) => LEVELS[level]);
  add('group', unique(results.results.map(groupOf)), (group) => group);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('input', ({ target }) => {
    remember({ ...filter, [target.name]: target.value });
    showChecks();
  });
  addEventListener('hashchange', () => {
    reread();
    showAll();
    openNamed();
  });
  showVerdict();
  showFacts();
  showAll();
  openNamed();
}

begin();
