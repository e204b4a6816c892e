import { listAt, schemasIn } from '../../core/index.ts';
import type { ToolSpec } from '../../protocol/index.ts';
import type { CallEvidence, TaskEvidence } from '../evidence.ts';
import { iterateLeaves } from '../words.ts';

/** The texts and numbers in the inputs of calls that paid, but for those that the schema names itself. */
export function rewardedValues({ runs }: TaskEvidence, tools: ReadonlyMap<string, ToolSpec>): string[] {
  const steps = runs.find(({ kind, repeats }) => kind === 'solve' && !repeats)?.steps ?? [];
  return steps.filter(isPaid).flatMap(({ tool, input }) => {
    const named = namedValues(tools.get(tool)?.input_schema);
    return Array.from(iterateLeaves(input), ({ value }) => value)
      .filter((value) => typeof value !== 'boolean' && !named.has(value))
      .map((value) => String(value).trim())
      .filter((value) => value !== '');
  });
}

/** Returns the values that a schema names by `const` and `enum`. */
function namedValues(root: unknown): ReadonlySet<unknown> {
  const values = new Set<unknown>();
  for (const { schema } of schemasIn(root)) {
    if ('const' in schema) values.add(schema.const);
    for (const value of listAt(schema, 'enum')) values.add(value);
  }
  return values;
}

const isPaid = ({ reward, isAfterEnd }: CallEvidence): boolean => !isAfterEnd && reward !== null && reward > 0;
