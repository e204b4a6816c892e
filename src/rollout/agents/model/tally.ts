import { AgentError, type AgentLimits, type AgentReport, type StopReason, type TokenUsage } from '../../agent.ts';
import type { ProviderUsage } from './language-model.ts';

/** What an episode has used so far. */
export interface UsageTotals {
  readonly turns: number;
  readonly usage: TokenUsage;
}

export const EMPTY_USAGE: UsageTotals = { turns: 0, usage: { inputTokens: null, outputTokens: null } };

export function addUsage({ turns, usage }: UsageTotals, { inputTokens, outputTokens }: ProviderUsage): UsageTotals {
  return {
    turns: turns + 1,
    usage: {
      inputTokens: sum(usage.inputTokens, inputTokens.total),
      outputTokens: sum(usage.outputTokens, outputTokens.total),
    },
  };
}

const sum = (one: number | null, other: number | undefined): number | null =>
  other === undefined ? one : (one ?? 0) + other;

/** The limit that leaves no room for another turn. @throws AgentError where tokens are limited and nobody counts them. */
export function limitReached({ turns, usage }: UsageTotals, limits: AgentLimits): StopReason | undefined {
  if (turns >= limits.turns) return 'turn_limit';
  const { inputTokens, outputTokens } = usage;
  const isUnknown = inputTokens === null && outputTokens === null;
  if (turns > 0 && isUnknown && limits.tokens < Number.POSITIVE_INFINITY) {
    const message = 'the provider does not say how many tokens it used, so their limit cannot be kept; leave it out';
    throw new AgentError(message, { retryable: false });
  }
  return (inputTokens ?? 0) + (outputTokens ?? 0) >= limits.tokens ? 'token_limit' : undefined;
}

export const toAgentReport = ({ turns, usage }: UsageTotals, stop: StopReason): AgentReport => ({ stop, turns, usage });
