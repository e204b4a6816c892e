import type { Check } from '../../check.ts';
import { healthChecks } from './health.ts';

export const discoveryChecks: readonly Check[] = [...healthChecks];
