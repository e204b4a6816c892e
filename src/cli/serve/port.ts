import { errorCode, hostForUrl, truncate } from '../../core/index.ts';

/** A server that has much to do takes its time to answer. */
const PROBE_MS = 2_000;

export interface ListenAddress {
  readonly port: number;
  readonly host: string;
}

/** An error that says why this address cannot be listened on and what to do, if that is known. */
export async function describeListenError(error: unknown, { port, host }: ListenAddress): Promise<unknown> {
  const another = `--port ${port < 65_535 ? port + 1 : 8080}`;
  switch (errorCode(error)) {
    case 'EADDRINUSE': {
      const by = await occupant(port, host);
      const choice = `${another}, or PORT=${another.slice('--port '.length)}`;
      return new Error(`port ${port} on ${host} is taken${by}; stop that, or choose another port: ${choice}`);
    }
    case 'EACCES':
      return new Error(`port ${port} needs privileges; pass a --port above 1023`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new Error(
        `'${host}' is no address of this machine; pass --host 127.0.0.1, or 0.0.0.0 for all (it can come from the variable HOST)`,
      );
    default:
      return error;
  }
}

/** Who has the port, in words, if it is an ORS server. */
async function occupant(port: number, host: string): Promise<string> {
  try {
    const response = await fetch(`http://${hostForUrl(host)}:${port}/list_environments`, {
      signal: AbortSignal.timeout(PROBE_MS),
    });
    const names: unknown = await response.json();
    const isOrs = Array.isArray(names) && names.length > 0 && names.every((one) => typeof one === 'string');
    return isOrs ? `: an ORS server runs there already and serves ${truncate(names.join(', '), 200)}` : '';
  } catch {
    return '';
  }
}
