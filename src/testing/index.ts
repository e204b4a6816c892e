export { ToolCallError } from '../client/index.ts';
export { type PlayEpisodeOptions, play, type TestEpisode } from './play.ts';
