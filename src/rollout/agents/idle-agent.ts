import type { Agent } from '../agent.ts';

/** An agent that asks for the prompt and does nothing: what an episode is worth for free. */
export const idleAgent = (): Agent => async (session, context) => {
  await session.prompt({ signal: context.signal });
  return { stop: 'stopped', turns: 0 };
};
