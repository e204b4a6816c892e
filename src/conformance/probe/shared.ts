import type { ConformanceOptions } from '../options.ts';
import type { DiscoveredEnvironment, DiscoveredTool } from '../target.ts';
import { UntestableError } from '../verdict.ts';
import type { ProbeResponse } from './answer.ts';
import type { Exchange } from './exchange.ts';

/** A tool and an input that it should take. */
export interface SampleCall {
  readonly tool: DiscoveredTool;
  readonly input: Record<string, unknown>;
}

/** What several checks of a run use together; made when the first of them asks. */
export interface SharedFixtures {
  episode(): Promise<{ readonly sid: string; readonly exchanges: readonly Exchange[] }>;
  call(): Promise<ProbeResponse>;
  sample(): Promise<SampleCall>;
  /** The tools that may be called. Rejects with Untestable where none may. */
  callable(): Promise<readonly DiscoveredTool[]>;
}

/** The tools that may be called. */
export function allowedTools(
  { tools }: Pick<DiscoveredEnvironment, 'tools'>,
  options: Pick<ConformanceOptions, 'tools' | 'skipTools' | 'noToolCalls'>,
): DiscoveredTool[] {
  if (options.noToolCalls) return [];
  return tools.filter(({ name }) => (options.tools?.includes(name) ?? true) && !options.skipTools?.includes(name));
}

/** A value that is made once, by whoever asks first. */
export function memoizeAsync<T>(make: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined;
  return () => (value ??= make());
}

/** Chooses so many inputs: one of each tool, then another of each. Untestable where there is none. */
export async function chooseSamples(
  tools: readonly DiscoveredTool[],
  max: number,
  inputsFor: (tool: DiscoveredTool) => Promise<readonly Record<string, unknown>[]>,
): Promise<[SampleCall, ...SampleCall[]]> {
  const reasons: string[] = [];
  const samples: (SampleCall & { readonly turn: number })[] = [];
  for (const tool of tools) {
    if (samples.filter(({ turn }) => turn === 0).length === max) break;
    try {
      const inputs = (await inputsFor(tool)).slice(0, max);
      samples.push(...inputs.map((input, turn) => ({ tool, input, turn })));
    } catch (error) {
      if (!(error instanceof UntestableError)) throw error;
      reasons.push(`'${tool.name}': ${error.message}`);
    }
  }
  const [first, ...others] = samples.sort((a, b) => a.turn - b.turn).slice(0, max);
  if (first) return [first, ...others];
  throw new UntestableError(
    reasons.length > 0 ? `no tool has an input: ${reasons.join('; ')}` : 'no tool may be called',
  );
}
