export type {
  EpisodeRequest,
  HostedEnvironment,
  HostedEpisode,
  HostedRun,
  HostedTool,
} from './hosted-environment.ts';
export { hostInline } from './inline.ts';
export { failureJson } from './result-json.ts';
