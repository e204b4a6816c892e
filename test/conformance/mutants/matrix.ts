import { serverChecks } from '../../../src/conformance/checks/index.ts';
import type { InputGenerator } from '../../../src/conformance/inputs/create-inputs.ts';
import { createInputGenerator } from '../../../src/conformance/inputs/create-inputs.ts';
import type { CheckRunResult } from '../../../src/conformance/result.ts';
import { affectedBy } from './affected.ts';
import type { Mutant } from './mutant.ts';
import { hold, noticed } from './run-mutant.ts';

/** A mutant that other checks detect than it declares. */
export interface Mismatch {
  readonly mutant: string;
  readonly declared: readonly string[];
  readonly noticedBy: readonly string[];
  readonly harnessErrors: readonly string[];
}

export interface Matrix {
  /** Results of the healthy server that are not a pass or n/a. */
  readonly healthy: readonly string[];
  readonly mismatches: readonly Mismatch[];
}

/** Number of concurrent runs, which mostly wait. */
const AT_ONCE = 6;
const MAX_ATTEMPTS = 3;

/** Runs all checks against the healthy server, and the affected checks against each mutant. */
export async function matrixOf(mutants: readonly Mutant[]): Promise<Matrix> {
  await using inputs = createInputGenerator();
  const healthy = await hold({}, serverChecks, inputs);
  const queue = [...mutants];
  const mismatches: Mismatch[] = [];
  const work = async () => {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const found = await mismatchOf(mutant, healthy, inputs);
      if (found) mismatches.push(found);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const isRight = ({ state, violated }: CheckRunResult) => (state === 'pass' || state === 'n/a') && !violated;
  return { healthy: healthy.filter((result) => !isRight(result)).map(brief), mismatches };
}

async function mismatchOf(
  mutant: Mutant,
  healthy: readonly CheckRunResult[],
  inputs: InputGenerator,
): Promise<Mismatch | undefined> {
  try {
    const results = new Map<string, CheckRunResult>();
    let checks = await affectedBy(mutant, serverChecks, healthy);
    // A busy machine can hide a defect, or make a check fail: unexpected results are repeated alone.
    for (let attempt = 0; attempt < MAX_ATTEMPTS && checks.length > 0; attempt++) {
      for (const result of await hold(mutant, checks, inputs)) results.set(result.check, result);
      checks = checks.filter(({ id }) => isUnexpected(mutant, results.get(id)));
    }
    return compared(mutant, [...results.values()]);
  } catch (error) {
    const { name, caughtBy } = mutant;
    return { mutant: name, declared: caughtBy, noticedBy: [], harnessErrors: [`it could not be held: ${error}`] };
  }
}

const isUnexpected = ({ caughtBy }: Mutant, result: CheckRunResult | undefined): boolean =>
  result !== undefined && (result.state === 'harness-error' || result.violated !== caughtBy.includes(result.check));

function compared({ name, caughtBy }: Mutant, results: readonly CheckRunResult[]): Mismatch | undefined {
  const noticedBy = noticed(results).sort();
  const harnessErrors = results.filter(({ state }) => state === 'harness-error').map(brief);
  const declared = [...caughtBy].sort();
  if (harnessErrors.length === 0 && noticedBy.join() === declared.join()) return undefined;
  return { mutant: name, declared, noticedBy, harnessErrors };
}

const brief = ({ check, state, message }: CheckRunResult): string => `${state} ${check}: ${message}`;
