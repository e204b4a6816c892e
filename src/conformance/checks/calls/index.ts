import type { ConformanceCheck } from '../../check.ts';
import { badOutputChecks } from './bad-outputs.ts';
import { blockChecks } from './blocks.ts';
import { bodyChecks } from './bodies.ts';
import { episodeEndChecks } from './episodes.ts';
import { eventChecks } from './events.ts';
import { failureChecks } from './failures.ts';
import { imageChecks } from './images.ts';
import { inputChecks } from './inputs.ts';
import { outputChecks } from './outputs.ts';
import { requestChecks } from './requests.ts';
import { resultChecks } from './results.ts';
import { schemaChecks } from './schemas.ts';
import { textChecks } from './texts.ts';
import { concurrencyChecks } from './together.ts';
import { toolSpecChecks } from './tools.ts';

/** Calls, and the types of what is sent. */
export const callsChecks: readonly ConformanceCheck[] = [
  ...eventChecks,
  ...resultChecks,
  ...outputChecks,
  ...blockChecks,
  ...requestChecks,
  ...inputChecks,
  ...schemaChecks,
  ...failureChecks,
  ...episodeEndChecks,
  ...concurrencyChecks,
  ...imageChecks,
  ...textChecks,
  ...badOutputChecks,
  ...toolSpecChecks,
  ...bodyChecks,
];
