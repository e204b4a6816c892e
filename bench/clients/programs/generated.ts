/** Plays with the generated client and the fetch of Node: the requests of an episode and nothing else. */
import { createOrsClient } from 'ors-kit/openapi';
import { check, obeyOrders } from './orders.ts';

const client = createOrsClient({ baseUrl: String(process.argv[2]) });

await obeyOrders(async (call) => {
  const { data: session } = await client.createSession();
  const header = { 'X-Session-ID': String(session?.sid) };
  const params = { path: { env_name: 'bench' }, header };
  const created = await client.createEpisode({
    params: { header },
    body: { env_name: 'bench', split: 'test', index: 0 },
  });
  check('create', created.data?.sid, session?.sid);

  const [question] = (await client.getPrompt({ params })).data ?? [];
  check('prompt', question?.type === 'text' && question.text, '2+2');
  check('tools', (await client.listTaskTools({ params })).data?.tools[0]?.name, 'submit');
  const { events, error } = await client.callTool({ params, body: call });
  if (events === undefined) throw new Error(error.detail);
  let json = '';
  for await (const { event, data } of events) if (event === 'chunk' || event === 'end') json += data;
  const { ok, output } = JSON.parse(json);
  check('ok', ok, true);
  check('text', output.blocks[0].text, 'Correct!');
  check('reward', output.reward, 1);
  check('finished', output.finished, true);

  check('delete', (await client.deleteEpisode({ params: { header } })).response.status, 200);
});
