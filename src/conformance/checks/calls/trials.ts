import { FIXTURE, type FixtureTool } from '../../fixture.ts';
import type { GeneratedInput } from '../../inputs/inputs.ts';
import type { Probe } from '../../probe/index.ts';
import type { DiscoveredTool } from '../../target.ts';
import { UntestableError } from '../../verdict.ts';

/** Tools of the fixture that hold up whoever calls them, on purpose. */
const SLOW_TOOLS: readonly string[] = ['sleep', 'block', 'big'] satisfies FixtureTool[];

/** An input that does not match a tool's schema. */
export interface InvalidInput {
  readonly tool: DiscoveredTool;
  readonly example: GeneratedInput;
}

/** The tools that may be called and answer soon. */
export async function callableTools(probe: Probe): Promise<DiscoveredTool[]> {
  const isFixture = probe.environment.name.toLowerCase() === FIXTURE;
  return (await probe.callableTools()).filter(({ name }) => !isFixture || !SLOW_TOOLS.includes(name));
}

/** Invalid inputs of so many tools that have any. */
export async function collectInvalidInputs(probe: Probe, mostTools: number): Promise<InvalidInput[]> {
  const trials: InvalidInput[] = [];
  let count = 0;
  for (const tool of await callableTools(probe)) {
    if (count === mostTools) break;
    const invalid = await invalidInputs(probe, tool);
    if (invalid.length > 0) count++;
    trials.push(...invalid.map((example) => ({ tool, example })));
  }
  return trials;
}

/** None where the schema is of no use. */
async function invalidInputs(probe: Probe, { inputSchema }: DiscoveredTool): Promise<readonly GeneratedInput[]> {
  try {
    return (await probe.inputsOf(inputSchema)).invalid;
  } catch (error) {
    if (error instanceof UntestableError) return [];
    throw error;
  }
}
