import type { ServerOptions } from 'ors-kit/server';
import { TOO_SLOW } from '../../../src/conformance/assertions.ts';
import type { ConformanceCheck } from '../../../src/conformance/check.ts';
import type { InputGenerator } from '../../../src/conformance/inputs/create-inputs.ts';
import type { ConformanceOptions } from '../../../src/conformance/options.ts';
import type { TargetProcess } from '../../../src/conformance/probe/index.ts';
import type { CheckRunResult } from '../../../src/conformance/result.ts';
import { runChecks } from '../../../src/conformance/run.ts';
import { selectChecks } from '../../../src/conformance/select.ts';
import { MemoryJournal } from '../../../src/trial/index.ts';
import { QUICK_RUN, SHORT, SHORT_RUN, serveFixture } from './healthy.ts';
import type { Mutant } from './mutant.ts';
import { mutate } from './wire.ts';

const MAX_ATTEMPTS = 6;

/** Runs checks of all profiles against a mutant or the healthy server; returns the results in the order of the checks. */
export async function hold(
  mutant: Pick<Mutant, 'wire' | 'server'>,
  checks: readonly ConformanceCheck[],
  inputs: InputGenerator,
): Promise<readonly CheckRunResult[]> {
  const results = new Map<string, CheckRunResult>();
  // Checks that were too slow on a busy machine may succeed alone.
  let remaining = checks;
  for (let attempt = 0; attempt < MAX_ATTEMPTS && remaining.length > 0; attempt++) {
    const [forks, others] = [remaining.filter(isOfForks), remaining.filter((check) => !isOfForks(check))];
    // Soak checks need a server with short times, those of forks one with a journal, and the others one with neither.
    const all = await Promise.all([
      holdOnce(mutant, others, inputs, QUICK_RUN, {}),
      holdOnce(mutant, others, inputs, SHORT_RUN, SHORT),
      holdOnce(mutant, forks, inputs, QUICK_RUN, { journal: new MemoryJournal() }),
    ]);
    for (const result of all.flat()) results.set(result.check, result);
    remaining = remaining.filter(({ id }) => results.get(id)?.message?.startsWith(TOO_SLOW));
  }
  return checks.flatMap(({ id }) => results.get(id) ?? []);
}

const isOfForks = ({ id }: ConformanceCheck): boolean => id.startsWith('fork/');

async function holdOnce(
  mutant: Pick<Mutant, 'wire' | 'server'>,
  checks: readonly ConformanceCheck[],
  inputs: InputGenerator,
  options: ConformanceOptions,
  times: ServerOptions,
): Promise<readonly CheckRunResult[]> {
  if (selectChecks(checks, options).length === 0) return [];
  const said = listenToStandardError();
  await using server = await serveFixture(mutant.server?.(), times);
  await using layer = mutant.wire && (await mutate(server.url, mutant.wire()));
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const process: TargetProcess = {
    output: said,
    terminate: () => void server.close().then(end, end),
    ended,
  };
  const url = new URL(layer?.url ?? server.url);
  return (await runChecks(url, options, { checks, inputs, suite: 'test', process })).results;
}

/** Returns the ids of the checks that detected a violation. */
export const noticed = (results: readonly CheckRunResult[]): string[] =>
  results.filter(({ violated }) => violated).map(({ check }) => check);

let printed = '';
let isListening = false;

/**
 * Keeps what the fixture prints in this process, and does not show it. A suite that ran before in this process may have
 * left its own listener: this one comes first.
 */
function listenToStandardError(): () => string {
  if (!isListening) {
    const { stderr } = process;
    const { write } = stderr;
    const listen: typeof write = (text, ...rest) => {
      if (!String(text).startsWith('conformance: ')) return write.call(stderr, text, ...(rest as []));
      printed += String(text);
      return true;
    };
    Object.assign(stderr, { write: listen });
    isListening = true;
  }
  return () => printed;
}
