import { start } from './program.ts';

/** Processes that serve the traces of one file or PostgreSQL database. */
export async function startServers(place: string, count: number) {
  const programs = Array.from({ length: count }, () => start('serve.ts', [place]));
  const urls = await Promise.all(programs.map((program) => program.line()));
  return {
    /** URL of each server. */
    urls: urls.map((url) => `${url}/v1/organizations/default/traces`),
    verify: async (): Promise<unknown> => JSON.parse((await programs[0]?.ask('verify')) ?? ''),
    async [Symbol.asyncDispose]() {
      for (const program of programs) await program.end();
    },
  };
}
