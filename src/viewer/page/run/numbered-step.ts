import type { StepStats } from '../../../../generated/trace.ts';

/** Rewards of a training step, not of the traces without one. */
export type NumberedStep = StepStats & { readonly step: number };

export const isNumbered = (stats: StepStats): stats is NumberedStep => stats.step !== null;
