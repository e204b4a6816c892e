import type { SandboxProvider } from 'ors-kit/sandbox';

/** bubblewrap, or the provider in the variable ORS_SANDBOX, such as docker. */
export const provider = (process.env.ORS_SANDBOX ?? 'bubblewrap') as SandboxProvider;
