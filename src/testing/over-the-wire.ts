import { pino } from 'pino';
import { OrsClient, type TaskSelector } from '../client/index.ts';
import type { Environment } from '../environment/index.ts';
import { serve } from '../server/index.ts';
import type { EpisodePlayer } from './player.ts';

/** Plays as agents do. Without a URL the episode has a server of its own, whose answers are held against the spec. */
export async function playOverTheWire(
  environment: Environment,
  choice: TaskSelector,
  secrets: Readonly<Record<string, string>>,
  url: string | undefined,
): Promise<EpisodePlayer> {
  const log = pino({ level: 'silent' });
  const server = url === undefined ? await serve([environment], { port: 0, log, validateResponses: true }) : undefined;
  const client = new OrsClient(server?.url ?? url ?? '');
  const leave = async () => {
    await client.close();
    await server?.close();
  };
  try {
    return await open(client, environment, choice, secrets, leave);
  } catch (error) {
    await leave();
    throw error;
  }
}

async function open(
  client: OrsClient,
  environment: Environment,
  choice: TaskSelector,
  secrets: Readonly<Record<string, string>>,
  leave: () => Promise<void>,
): Promise<EpisodePlayer> {
  const session = await client.environment(environment.name).session(choice, { secrets });
  try {
    const prompt = await session.prompt();
    const tools = await session.tools();
    let closed: Promise<void> | undefined;
    return {
      sessionId: session.sid,
      prompt,
      tools,
      call: (name, input) => session.call(name, input),
      close: () => (closed ??= session.close().finally(leave)),
    };
  } catch (error) {
    await session.close();
    throw error;
  }
}
