import { errorCode, hostForUrl, truncate } from '../../core/index.ts';

/** Generous, because a busy server responds late. */
const PROBE_TIMEOUT_MS = 2_000;

export interface ListenAddress {
  readonly port: number;
  readonly host: string;
}

/** Starts to listen. @throws Error with a remedy if the address cannot be listened on; other errors unchanged. */
export async function explainListenErrors<T>(address: ListenAddress, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen();
  } catch (error) {
    throw await describeListenError(error, address);
  }
}

async function describeListenError(error: unknown, { port, host }: ListenAddress): Promise<unknown> {
  const another = port < 65_535 ? port + 1 : 8080;
  switch (errorCode(error)) {
    case 'EADDRINUSE': {
      const by = await describeOccupant(port, host);
      const choice = `--port ${another}, or PORT=${another}`;
      return new Error(`port ${port} on ${host} is in use${by}; stop that server, or choose another port: ${choice}`);
    }
    case 'EACCES':
      return new Error(`port ${port} needs privileges; pass a --port above 1023`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new Error(
        `'${host}' is not an address of this machine; pass --host 127.0.0.1, or 0.0.0.0 for all (the variable HOST also sets it)`,
      );
    default:
      return error;
  }
}

/** Describes the server on the port if it is an ORS server. */
async function describeOccupant(port: number, host: string): Promise<string> {
  try {
    const response = await fetch(`http://${hostForUrl(host)}:${port}/list_environments`, {
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    const names: unknown = await response.json();
    const isOrs = Array.isArray(names) && names.length > 0 && names.every((one) => typeof one === 'string');
    return isOrs ? `: an ORS server runs there and serves ${truncate(names.join(', '), 200)}` : '';
  } catch {
    return '';
  }
}
