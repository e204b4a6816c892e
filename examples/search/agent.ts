/**
 * An agent that searches: before each call it tries all candidates on forks of the session, and makes the one that earned
 * most. It finds the way out of `maze` without looking at it:
 *
 *   ors serve examples/maze/environment.ts --journal episodes.db
 *   ors rollout http://127.0.0.1:8080 --env maze --split test --limit 8 --agent examples/search/agent.ts
 */
import type { Agent, AgentSession } from 'ors-kit/rollout';

const candidates = ['north', 'east', 'south', 'west'].map((direction) => ({ direction }));

const search: Agent = async (session, { limits, signal }) => {
  let turns = 0;
  for (; !session.finished && turns < limits.turns; turns++) {
    const rewards = await Promise.all(candidates.map((input) => rewardOf(session, input, signal)));
    const best = candidates[rewards.indexOf(Math.max(...rewards))];
    await session.call('move', best, { signal });
  }
  return { stop: session.finished ? 'finished' : 'turn_limit', turns };
};

export default search;

async function rewardOf(session: AgentSession, input: { direction: string }, signal: AbortSignal): Promise<number> {
  await using trial = await session.fork({ signal });
  const { reward } = await trial.call('move', input, { signal });
  return reward ?? 0;
}
