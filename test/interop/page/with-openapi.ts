import { createOrsClient } from 'ors-kit/openapi';

/** An episode of countdown whose only answer is `expression`, by the client that is generated from the document. */
export async function play(url: string, index: number, expression: string) {
  const client = createOrsClient({ baseUrl: url, headers: { 'X-API-Key': 'a key' } });
  const { data: environments } = await client.listEnvironments();
  const { data: created } = await client.createSession();
  const header = { 'X-Session-ID': created?.sid ?? '' };
  const path = { env_name: 'countdown' };
  await client.createEpisode({ params: { header }, body: { env_name: 'countdown', split: 'test', index } });
  const { data: prompt } = await client.getPrompt({ params: { header, path } });
  const { data: tools } = await client.listTaskTools({ params: { header, path } });
  const events = await callTool(client, { header, path }, { name: 'submit', input: { expression } });
  const { data: deleted } = await client.deleteEpisode({ params: { header } });
  return { environments, prompt, tools: tools?.tools.map(({ name }) => name), events, deleted };
}

/** The events of a long answer, put together. */
export async function fetchText(url: string, seed: number, length: number) {
  const client = createOrsClient({ baseUrl: url });
  const { data: created } = await client.createSession();
  const header = { 'X-Session-ID': created?.sid ?? '' };
  await client.createEpisode({ params: { header }, body: { env_name: 'wire', split: 'test', index: 0 } });
  const params = { header, path: { env_name: 'wire' } };
  const events = await callTool(client, params, { name: 'text', input: { seed, length } });
  const json = events.flatMap(({ event, data }) => (event === 'chunk' || event === 'end' ? [data] : [])).join('');
  await client.deleteEpisode({ params: { header } });
  return { events: events.length, text: JSON.parse(json).output.blocks[0].text };
}

type Client = ReturnType<typeof createOrsClient>;
type Init = Parameters<Client['callTool']>[0];

async function callTool(client: Client, params: Init['params'], body: Init['body']) {
  const { events, error } = await client.callTool({ params, body });
  if (!events) throw new Error(JSON.stringify(error));
  const all = [];
  for await (const { event, data } of events) all.push({ event, data });
  return all;
}
