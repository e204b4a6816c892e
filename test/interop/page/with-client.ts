import {
  type CallHandle,
  OrsClient,
  OrsClientError,
  OrsConnectionError,
  type SessionHandle,
  SessionLostError,
} from 'ors-kit/client';

/** Discovery of a server, before the page plays. */
export async function discover(url: string) {
  await using client = new OrsClient(url);
  const countdown = client.environment('countdown');
  const tasks = [];
  for await (const { task } of countdown.tasks('test', { stop: 3, pageSize: 2 })) tasks.push(task);
  return {
    dialect: (await client.dialect()).name,
    environments: await client.environments(),
    splits: await countdown.splits(),
    count: await countdown.countTasks('test'),
    tasks,
  };
}

/** An episode of countdown whose only answer is `expression`. */
export async function play(url: string, index: number, expression: string) {
  await using client = new OrsClient(url, { apiKey: 'a key' });
  await using session = await client.environment('countdown').session({ split: 'test', index });
  const prompt = await session.prompt();
  const tools = await session.tools({ format: 'openai' });
  const { text, reward, finished } = await session.call('submit', { expression });
  return { prompt, tools, text, reward, finished };
}

/** The text that the environment wire makes of a seed and a length. */
export async function fetchText(url: string, seed: number, length: number) {
  await using client = new OrsClient(url);
  await using session = await client.environment('wire').session({ split: 'test', index: 0 });
  return (await session.call('text', { seed, length })).text;
}

/** Length of a secret, as the environment `wire` reports it. */
export async function keepSecret(url: string, name: string, secret: string) {
  await using client = new OrsClient(url);
  const session = await client
    .environment('wire')
    .session({ split: 'test', index: 0 }, { secrets: { [name]: secret } });
  const { text } = await session.call('secret', { name });
  await session.close();
  return text;
}

/** Shows the image of a maze, and returns its size in the browser. */
export async function showMaze(url: string) {
  await using client = new OrsClient(url);
  await using session = await client.environment('maze').session({ split: 'test', index: 0 });
  const block = (await session.prompt()).find(({ type }) => type === 'image');
  if (block?.type !== 'image') throw new Error('the prompt has no picture');
  const picture = new Image();
  picture.src = `data:${block.mimeType};base64,${block.data}`;
  await picture.decode();
  document.body.append(picture);
  return { width: picture.naturalWidth, height: picture.naturalHeight };
}

let leave: () => Promise<string>;

/** Starts a call that waits at a gate of the environment lab, and returns the handles to resume it. */
export async function begin(url: string, gate: string): Promise<{ session: SessionHandle; call: CallHandle }> {
  const client = new OrsClient(url);
  const session = await client.environment('lab').session({ split: 'train', index: 0 });
  const controller = new AbortController();
  return new Promise((resolve) => {
    const { signal } = controller;
    const ended = session.call(
      'wait',
      { gate },
      { signal, onStart: (call) => resolve({ session: session.handle, call }) },
    );
    leave = async () => {
      controller.abort();
      const reason = await ended.catch((error: DOMException) => error.name);
      await client.close();
      return String(reason);
    };
  });
}

/** Aborts the pending call and returns the name of its rejection. */
export const abort = () => leave();

/** Resumes a call. */
export async function resume(url: string, session: SessionHandle, call: CallHandle) {
  await using client = new OrsClient(url);
  await using attached = client.attach(session);
  return (await attached.resume(call)).text;
}

/** Calls a tool of an episode of lab that another client has deleted. */
export async function callInLostEpisode(url: string) {
  await using client = new OrsClient(url);
  await using session = await client.environment('lab').session({ split: 'train', index: 0 });
  await session.prompt();
  await fetch(`${url}/delete`, { method: 'POST', headers: { 'X-Session-ID': session.sid } });
  return await errorOf(session.call('count'));
}

/** Requests the environments of a server, for at most half a second, and shows the result. */
export async function tryToDiscover(url: string) {
  await using client = new OrsClient(url, { retry: { budgetMs: 500 } });
  const error = await errorOf(client.environments());
  document.body.textContent = error.message;
  return error;
}

async function errorOf(work: Promise<unknown>) {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof OrsClientError)) throw error;
  const { name, message, retryable } = error;
  const classes = { OrsConnectionError, SessionLostError };
  const isA = Object.entries(classes).flatMap(([key, kind]) => (error instanceof kind ? [key] : []));
  return { name, message, retryable, isA };
}
