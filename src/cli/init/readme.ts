import type { Project, ProjectFile } from './project.ts';

/** README.md of a project: one page. */
export function readme({ name, language }: Project): ProjectFile {
  const types = language === 'ts' ? 'npm run types        # tsc\n' : '';
  const text = `# ${name}

An environment of the Open Reward Standard, made with [ors-kit](https://www.npmjs.com/package/ors-kit): agents find the
word that some letters make. It is small and whole; put yours in its place.

| File | |
|---|---|
| \`environment.${language}\` | the environment: prompt, tools, rewards, and \`solve\`, which plays as well as can be |
| \`tasks.${language}\` | its tasks; \`publicTask\` in the environment says what players see of them |
| \`environment.test.${language}\` | its tests: whole episodes, over the wire |
| \`Dockerfile\` | an image that serves it |
| \`.github/workflows/environment.yml\` | what GitHub runs at every push; commit \`package-lock.json\` for it |

\`\`\`sh
npm install
npm test
${types}npm run validate     # what a trainer would trip over: leaks, rewards, determinism, cleanup
npm run conformance  # the server, held to the standard
npm start            # serves it on http://127.0.0.1:8080, the reference at /docs/
\`\`\`

While it is served, in another terminal:

\`\`\`sh
npm run rollout                                           # solve plays each test task: the mean reward must be 1
npx ors play http://127.0.0.1:8080                        # play it yourself
npx ors tasks snapshot environment.${language} --out tasks.jsonl   # what the tasks are; ors tasks diff tells what changed
\`\`\`

A model plays through any server that speaks the protocol of OpenAI (\`npm install @ai-sdk/openai\`;
\`npx ors rollout --help\` has the others):

\`\`\`sh
OPENAI_API_KEY=... npx ors rollout http://127.0.0.1:8080 --env ${name} --split test --model openai/gpt-5 -n 4
\`\`\`

Rewards, results and traces are in the folder \`runs\`. On Node 20 traces need \`npm install libsql\`, or \`--no-traces\`.

From Python, with \`pip install ors-sdk\`:

\`\`\`python
from ors.client import ORS

with ORS(base_url="http://127.0.0.1:8080") as client:
    environment = client.environment("${name}")
    with environment.session(environment.list_tasks("test")[0]) as session:
        print(session.get_prompt()[0].text)
        print(session.call_tool("hint", {}).blocks[0].text)
\`\`\`

In a container, where other machines reach it, players need a key:

\`\`\`sh
docker build -t ${name.toLowerCase()} .
docker run --rm -p 8080:8080 -e ORS_API_KEYS=me:change-this ${name.toLowerCase()}
\`\`\`
`;
  return { path: 'README.md', text };
}
