/** Plays episodes with the generated client and Node's fetch: the requests of an episode and no others. */
import { createOrsClient } from 'ors-kit/openapi';
import { assertEqual, runJobs } from './jobs.ts';

const client = createOrsClient({ baseUrl: String(process.argv[2]) });

await runJobs(async (call) => {
  const { data: session } = await client.createSession();
  const header = { 'X-Session-ID': String(session?.sid) };
  const params = { path: { env_name: 'bench' }, header };
  const created = await client.createEpisode({
    params: { header },
    body: { env_name: 'bench', split: 'test', index: 0 },
  });
  assertEqual('create', created.data?.sid, session?.sid);

  const [question] = (await client.getPrompt({ params })).data ?? [];
  assertEqual('prompt', question?.type === 'text' && question.text, '2+2');
  assertEqual('tools', (await client.listTaskTools({ params })).data?.tools[0]?.name, 'submit');
  const { events, error } = await client.callTool({ params, body: call });
  if (events === undefined) throw new Error(error.detail);
  let json = '';
  for await (const { event, data } of events) if (event === 'chunk' || event === 'end') json += data;
  const { ok, output } = JSON.parse(json);
  assertEqual('ok', ok, true);
  assertEqual('text', output.blocks[0].text, 'Correct!');
  assertEqual('reward', output.reward, 1);
  assertEqual('finished', output.finished, true);

  assertEqual('delete', (await client.deleteEpisode({ params: { header } })).response.status, 200);
});
