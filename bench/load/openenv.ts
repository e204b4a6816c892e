import { excerpt, UnexpectedResponseError } from './assertions.ts';
import type { Call, HeldCall, PreparedCall, Protocol, ProtocolClient, ProtocolSession } from './protocol.ts';
import { textFrame, WebSocketConnection } from './websocket.ts';

const reset = textFrame(JSON.stringify({ type: 'reset', data: {} }));
const close = textFrame(JSON.stringify({ type: 'close' }));

/**
 * OpenEnv over its WebSocket: connect and reset, step, close. The observation of the reset contains the task, so that
 * reading it takes no request.
 */
export const openenv: Protocol = {
  name: 'OpenEnv',
  sessionIsConnection: true,
  connect: async (port) => new OpenEnvClient(port),
};

class OpenEnvClient implements ProtocolClient {
  readonly #port: number;
  readonly #connections = new Set<WebSocketConnection>();

  constructor(port: number) {
    this.#port = port;
  }

  async openSession(): Promise<ProtocolSession> {
    const connection = await WebSocketConnection.open(this.#port, '/ws');
    this.#connections.add(connection);
    const body = await connection.send(reset);
    assertObservation(body, { text: '2+2', reward: null });
    return sessionOf(connection, () => this.#connections.delete(connection));
  }

  close(): void {
    for (const connection of this.#connections) connection.destroy();
  }
}

function sessionOf(connection: WebSocketConnection, onClose: () => void): ProtocolSession {
  return {
    readTask: async () => undefined,
    prepare: (call) => prepareStep(connection, call),
    hold: (call) => holdStep(connection, call),
    async close() {
      await connection.end(close);
      onClose();
    },
  };
}

function prepareStep(connection: WebSocketConnection, call: Call): PreparedCall {
  const step = textFrame(JSON.stringify({ type: 'step', data: { tool: call.tool, ...call.input } }));
  let first: string | undefined;
  return {
    send: async () => ({ body: await connection.send(step) }),
    check({ body }) {
      if (body === first) return;
      assertObservation(body, call);
      first = body;
    },
  };
}

async function holdStep(connection: WebSocketConnection, call: Call): Promise<HeldCall> {
  const pingsBefore = connection.pings;
  const step = prepareStep(connection, call);
  step.check(await step.send());
  return { firstEventMs: undefined, heartbeats: connection.pings - pingsBefore };
}

function assertObservation(body: string, { text, reward }: Pick<Call, 'text' | 'reward'>): void {
  const { type, data } = JSON.parse(body);
  const { observation, reward: given, done } = Object(data);
  const isExpected = type === 'observation' && observation?.text === text && given === reward && done === false;
  if (!isExpected) throw new UnexpectedResponseError(`OpenEnv: the response was ${excerpt(body)}`);
}
