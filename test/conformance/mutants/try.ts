/**
 * Runs the checks against the healthy server and mutants, and prints the failed checks.
 *
 *   npx tsx test/conformance/mutants/try.ts [--all] [part of a mutant's name or of a declared check]...
 *
 * Runs only the checks that a mutant can affect; with --all, every check.
 */
import { serverChecks } from '../../../src/conformance/checks/index.ts';
import { createInputGenerator } from '../../../src/conformance/inputs/create-inputs.ts';
import { affectedBy } from './affected.ts';
import { mutants } from './index.ts';
import { hold, noticed } from './run-mutant.ts';

await using inputs = createInputGenerator();
const isAll = process.argv.includes('--all');
const wanted = process.argv.slice(2).filter((word) => word !== '--all');

const began = performance.now();
const healthy = await hold({}, serverChecks, inputs);
console.log(`healthy: ${healthy.length} checks in ${Math.round(performance.now() - began)} ms`);
for (const { check, state, message, durationMs } of healthy) {
  if (state !== 'pass') console.log(`  ${state} ${check}: ${message}`);
  if (durationMs > 1_500) console.log(`  slow ${check}: ${durationMs} ms`);
}

const chosen = mutants.filter(
  ({ name, caughtBy }) =>
    wanted.length === 0 || wanted.some((part) => name.includes(part) || caughtBy.some((id) => id.includes(part))),
);
for (const mutant of chosen) {
  const began = performance.now();
  const affected = isAll && !mutant.spreads ? serverChecks : await affectedBy(mutant, serverChecks, healthy);
  const results = await hold(mutant, affected, inputs);
  const seen = noticed(results);
  const missed = mutant.caughtBy.filter((id) => !seen.includes(id));
  const extra = seen.filter((id) => !mutant.caughtBy.includes(id));
  console.log(
    `${missed.length + extra.length === 0 ? 'ok  ' : 'BAD '} ${mutant.name} (${results.length} checks, ${Math.round(performance.now() - began)} ms)`,
  );
  for (const id of missed) {
    const result = results.find(({ check }) => check === id);
    console.log(`      not noticed by ${id}: ${result?.state} ${result?.message ?? ''}`);
  }
  for (const id of extra)
    console.log(`      also noticed by ${id}: ${results.find(({ check }) => check === id)?.message}`);
  for (const { check, state, message } of results) {
    if (state === 'harness-error') console.log(`      harness error in ${check}: ${message}`);
  }
}
