import type { Check } from '../../../src/conformance/check.ts';
import type { Inputs } from '../../../src/conformance/inputs/inputs.ts';
import type { ServerProcess } from '../../../src/conformance/probe/index.ts';
import type { Result } from '../../../src/conformance/result.ts';
import { runChecks } from '../../../src/conformance/run.ts';
import { SHORT_RUN, serveFixture } from './healthy.ts';
import type { Mutant } from './mutant.ts';
import { mutate } from './wire.ts';

/** Holds a mutant, or the healthy server, against the checks, in all profiles. */
export async function hold(
  mutant: Pick<Mutant, 'wire' | 'server'>,
  checks: readonly Check[],
  inputs: Inputs,
): Promise<readonly Result[]> {
  const said = listenToStandardError();
  await using server = await serveFixture(mutant.server?.());
  await using layer = mutant.wire && (await mutate(server.url, mutant.wire()));
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const process: ServerProcess = {
    said,
    terminate: () => void server.close().then(end, end),
    ended,
  };
  const { results } = await runChecks(new URL(layer?.url ?? server.url), SHORT_RUN, {
    checks,
    inputs,
    suite: 'test',
    process,
  });
  return results;
}

/** The ids of the checks that noticed something. */
export const noticed = (results: readonly Result[]): string[] =>
  results.filter(({ violated }) => violated).map(({ check }) => check);

let printed = '';

/** What the fixture prints in this process is kept, and not shown. */
function listenToStandardError(): () => string {
  const { stderr } = process;
  if (!('isHeard' in stderr)) {
    const { write } = stderr;
    const hear: typeof write = (text, ...rest) => {
      if (!String(text).startsWith('conformance: ')) return write.call(stderr, text, ...(rest as []));
      printed += String(text);
      return true;
    };
    Object.assign(stderr, { write: hear, isHeard: true });
  }
  return () => printed;
}
