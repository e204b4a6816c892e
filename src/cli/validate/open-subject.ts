import { loadTarget, type Target } from '../../validate/index.ts';
import { connect } from '../remote/connect.ts';
import type { ConnectionFlags } from '../remote/connection-options.ts';

export interface OpenSubject extends AsyncDisposable {
  readonly target: Target;
}

/** Connects to a server, or loads a module. @throws Failure or Error if neither is there. */
export async function openSubject(name: string, flags: ConnectionFlags, signal: AbortSignal): Promise<OpenSubject> {
  if (!/^https?:\/\//i.test(name)) {
    return { target: await loadTarget(name), [Symbol.asyncDispose]: async () => undefined };
  }
  const { timeout: _ofCalls, ...connection } = flags;
  const server = await connect(name, connection, signal);
  return { target: { client: server.client }, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
