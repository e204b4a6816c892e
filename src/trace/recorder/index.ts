export { createLocalTraceApi, createRecorder } from './create-recorder.ts';
