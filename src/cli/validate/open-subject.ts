import { isHttpUrl } from '../../core/index.ts';
import { loadTarget, type ValidationTarget } from '../../validate/index.ts';
import { connectToServer } from '../remote/connect.ts';
import type { ConnectionFlags } from '../remote/connection-options.ts';
import { loadInTime } from './load-in-time.ts';

export interface OpenedValidationTarget extends AsyncDisposable {
  readonly target: ValidationTarget;
}

/** Connects to a server, or loads a module in so many seconds. @throws Failure or Error if neither is there. */
export async function openSubject(
  name: string,
  flags: ConnectionFlags,
  seconds: number,
  signal: AbortSignal,
): Promise<OpenedValidationTarget> {
  if (!isHttpUrl(name)) {
    const target = await loadInTime(name, seconds, signal, () => loadTarget(name));
    return { target, [Symbol.asyncDispose]: async () => undefined };
  }
  const { timeout: _ofCalls, ...connection } = flags;
  const server = await connectToServer(name, connection, signal);
  return { target: { client: server.client }, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
