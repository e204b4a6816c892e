import type { CheckResult, ConformanceResults } from '../../../generated/conformance-results.ts';
import { escapeMarkup, sum } from '../../core/index.ts';
import { groupResults } from './groups.ts';

/** Results for CI systems, in the form of JUnit: a suite per group of checks. */
export function junitXml(results: ConformanceResults): string {
  const suites = groupResults(results.results).map(({ group, results: ofGroup }) => {
    const cases = ofGroup.map(testCase).join('');
    return `  <testsuite name="${escapeMarkup(group)}" ${counts(ofGroup)} timestamp="${results.started_at}">\n${cases}  </testsuite>\n`;
  });
  const name = escapeMarkup(`ORS conformance of ${results.client ?? results.url}`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${name}" ${counts(results.results)}>\n${suites.join('')}</testsuites>\n`;
}

function counts(results: readonly CheckResult[]): string {
  const count = (...elements: XmlElement[]) => results.filter((result) => elements.includes(elementOf(result))).length;
  const seconds = sum(results.map(({ duration_ms }) => duration_ms)) / 1_000;
  return [
    `tests="${results.length}"`,
    `failures="${count('failure')}"`,
    `errors="${count('error')}"`,
    `skipped="${count('skipped')}"`,
    `time="${seconds.toFixed(3)}"`,
  ].join(' ');
}

type XmlElement = 'failure' | 'error' | 'skipped' | 'none';

function elementOf({ state, expected_failure }: CheckResult): XmlElement {
  if (state === 'fail') return expected_failure === null ? 'failure' : 'skipped';
  if (state === 'harness-error') return 'error';
  return state === 'n/a' || state === 'not-testable' ? 'skipped' : 'none';
}

function testCase(result: CheckResult): string {
  const { check, requirement, level, sentence, document, heading, state, message, notes, expected_failure } = result;
  const element = elementOf(result);
  const why = expected_failure === null ? (message ?? '') : `expected failure: ${expected_failure}`;
  const about = `${requirement} (${level}): ${sentence}\n${document}, ${heading}\n${message ?? ''}`;
  const body = {
    none: '',
    skipped: `      <skipped message="${escapeMarkup(`${state}: ${why}`)}"/>\n`,
    failure: `      <failure type="${level}" message="${escapeMarkup(why)}">${escapeMarkup(about)}</failure>\n`,
    error: `      <error type="harness-error" message="${escapeMarkup(why.split('\n')[0] ?? '')}">${escapeMarkup(about)}</error>\n`,
  }[element];
  const said = [...(state === 'warn' ? [`warning: ${message}`, about] : []), ...notes.map((note) => `seen: ${note}`)];
  const output = said.length === 0 ? '' : `      <system-out>${escapeMarkup(said.join('\n'))}</system-out>\n`;
  const [group = ''] = check.split('/');
  const head = `name="${escapeMarkup(check)}" classname="ors.${escapeMarkup(group)}" time="${(result.duration_ms / 1_000).toFixed(3)}"`;
  return `    <testcase ${head}>\n${body}${output}    </testcase>\n`;
}
