import type { SandboxProvider } from 'ors-kit/sandbox';

/** Another provider is taken only if it is asked for: ORS_SANDBOX=docker. */
export const provider = (process.env.ORS_SANDBOX ?? 'bubblewrap') as SandboxProvider;
