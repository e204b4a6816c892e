export { createRecorder } from './create-recorder.ts';
export { createLocalTraceApi } from './local-api.ts';
