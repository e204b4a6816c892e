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

/** Chooses so many inputs: one of each tool, then another of each. Untestable where there is none. */
export async function chooseSamples(
  tools: readonly ToolFacts[],
  most: number,
  inputsFor: (tool: ToolFacts) => Promise<readonly Record<string, unknown>[]>,
): Promise<[Sample, ...Sample[]]> {
  const reasons: string[] = [];
  const samples: (Sample & { readonly turn: number })[] = [];
  for (const tool of tools) {
    if (samples.filter(({ turn }) => turn === 0).length === most) break;
    try {
      const inputs = (await inputsFor(tool)).slice(0, most);
      samples.push(...inputs.map((input, turn) => ({ tool, input, turn })));
    } catch (error) {
      if (!(error instanceof Untestable)) throw error;
      reasons.push(`'${tool.name}': ${error.message}`);
    }
  }
  const [first, ...others] = samples.sort((a, b) => a.turn - b.turn).slice(0, most);
  if (first) return [first, ...others];
  throw new Untestable(reasons.length > 0 ? `no tool has an input: ${reasons.join('; ')}` : 'no tool may be called');
}
