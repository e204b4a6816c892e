/** An adapter of this package's client for `ors conformance-client`; docs/conformance-client.md has the protocol. */
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CallLostError,
  OrsClient,
  OrsClientError,
  OrsConnectionError,
  OrsHttpError,
  SessionLostError,
  ToolCallError,
  ToolCrashedError,
} from 'ors-kit/client';

const patienceMs = Number(process.env.ORS_PATIENCE_MS ?? 60_000);
const client = new OrsClient(process.env.ORS_URL ?? '', { retry: { budgetMs: patienceMs / 2 } });
let opened;

const session = () => {
  if (opened) return opened;
  throw new Error('no episode is open');
};

const commands = {
  hello: async () => ({ client: 'ors-kit' }),
  async discover({ environment: name }) {
    const environment = client.environment(name);
    return { splits: (await environment.splits()).map((split) => split.name), tools: await environment.tools() };
  },
  async open({ environment, task, split, index }) {
    opened = await client.environment(environment).session(task ? { task } : { split, index });
  },
  prompt: () => session().prompt(),
  tools: () => session().tools(),
  async call({ name, input }) {
    const { blocks, metadata, reward, finished } = await session().call(name, input);
    return { blocks, metadata, reward, finished };
  },
  messages: () => session().messages(),
  async answer({ text }) {
    const { blocks, metadata, reward, finished } = await session().answer(text);
    return { blocks, metadata, reward, finished };
  },
  idle: ({ ms }) => sleep(ms),
  close: () => session().close(),
};

function kindOf(error) {
  if (error instanceof ToolCallError) return 'tool_refused';
  if (error instanceof ToolCrashedError) return 'tool_crashed';
  if (error instanceof SessionLostError) return 'session_lost';
  if (error instanceof CallLostError || error instanceof OrsConnectionError) return 'gave_up';
  return error instanceof OrsHttpError ? 'http' : 'other';
}

function described(error) {
  const isOurs = error instanceof OrsClientError;
  const reason = error instanceof ToolCallError ? error.reason : undefined;
  return { kind: kindOf(error), message: String(error), status: isOurs ? error.status : null, reason };
}

for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line);
  const run = commands[command.do];
  const answer = run
    ? await run(command).then(
        (value) => ({ value: value ?? null }),
        (error) => ({ error: described(error) }),
      )
    : { unsupported: true };
  process.stdout.write(`${JSON.stringify({ id: command.id, ...answer })}\n`);
}
await client.close();
