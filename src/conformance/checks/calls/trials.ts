import { FIXTURE, type FixtureTool } from '../../fixture.ts';
import type { Example } from '../../inputs/inputs.ts';
import type { Probe } from '../../probe/index.ts';
import type { ToolFacts } from '../../target.ts';
import { Untestable } from '../../verdict.ts';

/** Tools of the fixture that hold up whoever calls them, on purpose. */
const SLOW_TOOLS: readonly string[] = ['sleep', 'block', 'big'] satisfies FixtureTool[];

/** An input that does not match a tool's schema. */
export interface Trial {
  readonly tool: ToolFacts;
  readonly example: Example;
}

/** The tools that may be called and answer soon. */
export async function toolsToTry(probe: Probe): Promise<ToolFacts[]> {
  const isFixture = probe.environment.name.toLowerCase() === FIXTURE;
  return (await probe.callableTools()).filter(({ name }) => !isFixture || !SLOW_TOOLS.includes(name));
}

/** Invalid inputs of so many tools that have any. */
export async function trialsOf(probe: Probe, mostTools: number): Promise<Trial[]> {
  const trials: Trial[] = [];
  let count = 0;
  for (const tool of await toolsToTry(probe)) {
    if (count === mostTools) break;
    const invalid = await invalidInputs(probe, tool);
    if (invalid.length > 0) count++;
    trials.push(...invalid.map((example) => ({ tool, example })));
  }
  return trials;
}

/** None where the schema is of no use. */
async function invalidInputs(probe: Probe, { inputSchema }: ToolFacts): Promise<readonly Example[]> {
  try {
    return (await probe.inputsOf(inputSchema)).invalid;
  } catch (error) {
    if (error instanceof Untestable) return [];
    throw error;
  }
}
