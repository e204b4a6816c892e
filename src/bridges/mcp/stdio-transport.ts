import { createLineSplitter, tryParseJson, wellFormedJson } from '../../core/index.ts';

/**
 * Transport of an MCP connection, such as those of the packages `@modelcontextprotocol/sdk` and `.../server`.
 *
 * @example
 * const [ours, theirs] = InMemoryTransport.createLinkedPair();
 * await serveMcp(session, { transport: ours });
 */
export interface McpTransport {
  /** Begins to receive messages. */
  start(): Promise<void>;
  /** Sends one message to the client. */
  send(message: never): Promise<void>;
  /** Ends the connection. */
  close(): Promise<void>;
  /** Set by the server before `start`; called with each message that the client sends. */
  onmessage?: unknown;
  /** Set by the server before `start`; called when the client is gone. */
  onclose?: unknown;
}

/**
 * Creates a transport over standard input and output: one JSON message per line. It ends with standard input, and writes
 * nothing after that: the client no longer reads. Source: Model Context Protocol, transports, "stdio".
 */
export function createStdioTransport(): McpTransport {
  const { stdin, stdout } = process;
  let isClosed = false;
  const stop = () => {
    isClosed = true;
    stdin.off('data', lines.push).off('end', onEnd).off('close', onEnd).off('error', onEnd);
    // A stream that is read keeps the process running.
    stdin.pause();
  };
  const onEnd = () => {
    if (isClosed) return;
    stop();
    transport.onclose?.();
  };
  const lines = createLineSplitter((line) => {
    const message = tryParseJson(line);
    if (message !== undefined) transport.onmessage?.(message);
  });
  const transport = {
    onmessage: undefined as ((message: unknown) => void) | undefined,
    onclose: undefined as (() => void) | undefined,
    async start() {
      stdin.setEncoding('utf8').on('data', lines.push).on('end', onEnd).on('close', onEnd).on('error', onEnd);
      // Remains after the end, because writes that are under way may still fail.
      stdout.on('error', onEnd);
      if (stdin.readableEnded || stdin.destroyed) setImmediate(onEnd);
    },
    async send(message: never) {
      if (!isClosed) stdout.write(`${wellFormedJson(message)}\n`);
    },
    async close() {
      if (!isClosed) stop();
    },
  };
  return transport;
}
