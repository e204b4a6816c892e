export { createRecorder } from './create-recorder.ts';
export { createLocalTraceApi as createLocalApi } from './local-api.ts';
