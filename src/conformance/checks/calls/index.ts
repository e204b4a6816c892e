import type { Check } from '../../check.ts';
import { badOutputChecks } from './bad-outputs.ts';
import { blockChecks } from './blocks.ts';
import { bodyChecks } from './bodies.ts';
import { episodeChecks } from './episodes.ts';
import { eventChecks } from './events.ts';
import { failureChecks } from './failures.ts';
import { imageChecks } from './images.ts';
import { inputChecks } from './inputs.ts';
import { outputChecks } from './outputs.ts';
import { requestChecks } from './requests.ts';
import { resultChecks } from './results.ts';
import { schemaChecks } from './schemas.ts';
import { textChecks } from './texts.ts';
import { togetherChecks } from './together.ts';
import { toolChecks } from './tools.ts';

/** Calls, and the types of what is sent. */
export const callsChecks: readonly Check[] = [
  ...eventChecks,
  ...resultChecks,
  ...outputChecks,
  ...blockChecks,
  ...requestChecks,
  ...inputChecks,
  ...schemaChecks,
  ...failureChecks,
  ...episodeChecks,
  ...togetherChecks,
  ...imageChecks,
  ...textChecks,
  ...badOutputChecks,
  ...toolChecks,
  ...bodyChecks,
];
