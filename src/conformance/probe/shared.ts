import type { ConformanceOptions } from '../options.ts';
import type { EnvironmentFacts, ToolFacts } from '../target.ts';
import { Untestable } from '../verdict.ts';
import type { Answer } from './answer.ts';
import type { Exchange } from './exchange.ts';

/** A tool and an input that it should take. */
export interface Sample {
  readonly tool: ToolFacts;
  readonly input: Record<string, unknown>;
}

/** What several checks of a run use together; made when the first of them asks. */
export interface Shared {
  episode(): Promise<{ readonly sid: string; readonly exchanges: readonly Exchange[] }>;
  call(): Promise<Answer>;
  sample(): Promise<Sample>;
  /** The tools that may be called. Rejects with Untestable where none may. */
  callable(): Promise<readonly ToolFacts[]>;
}

/** The tools that may be called. */
export function allowedTools(
  { tools }: Pick<EnvironmentFacts, 'tools'>,
  options: Pick<ConformanceOptions, 'tools' | 'skipTools' | 'noToolCalls'>,
): ToolFacts[] {
  if (options.noToolCalls) return [];
  return tools.filter(({ name }) => (options.tools?.includes(name) ?? true) && !options.skipTools?.includes(name));
}

/** A value that is made once, by whoever asks first. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined;
  return () => (value ??= make());
}

/** Chooses the first tool for which there is an input. */
export async function chooseSample(
  tools: readonly ToolFacts[],
  inputFor: (tool: ToolFacts) => Promise<Record<string, unknown> | undefined>,
): Promise<Sample> {
  const reasons: string[] = [];
  for (const tool of tools) {
    try {
      const input = await inputFor(tool);
      if (input !== undefined) return { tool, input };
    } catch (error) {
      if (!(error instanceof Untestable)) throw error;
      reasons.push(`'${tool.name}': ${error.message}`);
    }
  }
  throw new Untestable(reasons.length > 0 ? `no tool has an input: ${reasons.join('; ')}` : 'no tool may be called');
}
