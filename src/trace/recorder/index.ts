export { createRecorder } from './create-recorder.ts';
export { createLocalApi } from './local-api.ts';
