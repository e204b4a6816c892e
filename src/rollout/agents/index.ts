export { idleAgent } from './idle-agent.ts';
export { loadAgent } from './load-agent.ts';
export type { LanguageModel, ModelAdvice, ProviderData, Sampling } from './model/language-model.ts';
export { type LoadModelOptions, loadModel } from './model/load-model.ts';
export { type ModelAgentOptions, modelAgent } from './model/model-agent.ts';
export { oracleAgent } from './oracle-agent.ts';
export { randomAgent } from './random-agent.ts';
