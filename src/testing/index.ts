export { type PlayedEpisode, type PlayOptions, play, type TaskChoice, ToolCallError } from './play.ts';
