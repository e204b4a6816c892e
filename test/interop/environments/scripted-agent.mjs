import { readFile } from 'node:fs/promises';
import { modelAgent } from 'ors-kit/rollout';
import { respond } from './scripted-model.mjs';

/** Contents of files by path, since several commands may run in this process. */
const files = new Map();

function readEpisodes(path) {
  if (!files.has(path)) files.set(path, readFile(path, 'utf8').then(JSON.parse));
  return files.get(path);
}

/** Agent whose model responds with the turns of the file that the variable EPISODES names. */
export default async (session, context) => {
  const { environment, index } = context.task;
  const { environments } = await readEpisodes(process.env.EPISODES ?? '');
  const turns = environments[environment.toLowerCase()][index].samples[context.sample];
  return modelAgent({ model: scriptedModel(turns), streaming: false })(session, context);
};

function scriptedModel(turns) {
  let next = 0;
  let replies;
  return {
    specificationVersion: 'v3',
    provider: 'scripted',
    modelId: 'scripted',
    async doGenerate({ prompt, tools = [] }) {
      replies ??= prompt.filter(({ role }) => role === 'assistant').length;
      const turn = turns[next++];
      if (!turn) throw new Error('the script of this episode is over');
      const { text, reasoning, calls } = respond(turn, { ...inspect(prompt), replies });
      const missing = calls.find(({ name }) => !tools.some((tool) => tool.name === name));
      if (missing)
        throw new Error(`${missing.name} is not among the tools: ${tools.map(({ name }) => name).join(', ')}`);
      const content = [
        ...(reasoning ? [{ type: 'reasoning', text: reasoning }] : []),
        ...text.map((part) => ({ type: 'text', text: part })),
        ...calls.map(({ name, input }, at) => ({
          type: 'tool-call',
          toolCallId: `call-${next}-${at}`,
          toolName: name,
          input: JSON.stringify(input),
        })),
      ];
      const unified = calls.length > 0 ? 'tool-calls' : 'stop';
      const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
      return { content, finishReason: { unified, raw: unified }, usage, warnings: [] };
    },
  };
}

/** The texts and images that the model sees, in their order. */
function inspect(prompt) {
  const texts = [];
  const images = [];
  const see = (part) => {
    if (typeof part === 'string') texts.push(part);
    else if (part.type === 'text' || part.type === 'reasoning') texts.push(part.text);
    else if (part.type === 'file' || part.type === 'image-data') images.push(part.data.data ?? part.data);
    else if (part.type === 'tool-result') [part.output.value].flat().forEach(see);
  };
  for (const { content } of prompt) [content].flat().forEach(see);
  return { text: texts.join('\n'), image: images.at(-1) };
}
