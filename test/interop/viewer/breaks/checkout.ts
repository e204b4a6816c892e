import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { copyCheckout as copy } from '../../../support/checkout.ts';
import type { Break } from './break.ts';

const TESTS = 'test/interop/viewer';

type Test = Break['test'];

/** Result of a test. */
export interface Outcome {
  readonly file: string;
  readonly name: string;
  readonly status: string;
  /** Failure message, preceded by the failing line of the test. */
  readonly failure: string;
}

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** Copy of the checkout in which the viewer is broken. Removed when the process ends. */
export function copyCheckout() {
  const { folder, apply } = copy('ors-kit-breaks-');
  return {
    /** Builds the viewer with a fault in it, then restores the sources. */
    buildBroken({ source, find, replace }: Pick<Break, 'source' | 'find' | 'replace'>): void {
      const restore = apply({ file: sourceOf(source), find, replace });
      try {
        buildIn(folder);
      } finally {
        restore();
      }
    },
    build: () => buildIn(folder),
    run: (tests: readonly Test[]) => runIn(folder, tests),
  };
}

export const sourceOf = (source: string): string => join('src', source);

function buildIn(folder: string): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/build-viewer.mjs'], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the viewer does not build:\n${stdout}${stderr}`);
}

/** Runs only these tests. Throws if one of them did not run. */
function runIn(folder: string, tests: readonly Test[]): readonly Outcome[] {
  const results = join(folder, 'results.json');
  rmSync(results, { force: true });
  const files = [...new Set(tests.map(({ file }) => `${TESTS}/${file}.test.ts`))];
  const names = [...new Set(tests.map(({ name }) => name.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)))];
  const jest = ['node_modules/jest/bin/jest.js', '--config', 'test/interop/jest.config.mjs', '--globalSetup='];
  const output = ['--json', `--outputFile=${results}`, `--cacheDirectory=${join(folder, '.jest')}`, '--maxWorkers=2'];
  const args = ['--disable-warning=ExperimentalWarning', ...jest, ...output];
  const { stderr } = spawnSync(process.execPath, [...args, '--testNamePattern', names.join('|'), ...files], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  const outcomes = readOutcomes(results, stderr);
  const missing = tests.filter((test) => !outcomes.some((outcome) => isOf(outcome, test)));
  if (missing.length > 0) {
    throw new Error(`did not run: ${missing.map(({ file, name }) => `${file}: ${name}`).join('; ')}\n${stderr}`);
  }
  return outcomes;
}

export const isOf = ({ file, name }: Outcome, test: Test): boolean =>
  file === `${test.file}.test.ts` && name.includes(test.name);

function readOutcomes(results: string, said: string): readonly Outcome[] {
  const { testResults } = JSON.parse(readFileSync(results, 'utf8')) as Report;
  return testResults.flatMap(({ name, message, assertionResults }) => {
    if (assertionResults.length === 0) throw new Error(`${name} does not load: ${message}\n${said}`);
    const file = name.slice(name.lastIndexOf('/') + 1);
    return assertionResults
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ fullName, status, failureMessages: [failure = ''] }) => ({
        ...{ file, name: fullName, status },
        failure: failure === '' ? '' : described(stripVTControlCharacters(failure), name),
      }));
  });
}

/** Returns a failure message, preceded by the failing line of the test. */
function described(failure: string, path: string): string {
  const [, after] = failure.split(`${path}:`);
  const code = after && readFileSync(path, 'utf8').split('\n')[Number.parseInt(after, 10) - 1];
  return `${code?.trim() ?? ''} – ${failure}`;
}
