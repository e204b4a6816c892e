import type { Check } from '../../check.ts';
import { resumeChecks } from './resume.ts';

export const streamsChecks: readonly Check[] = [...resumeChecks];
