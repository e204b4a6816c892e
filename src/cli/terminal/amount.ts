import { figure } from './figures.ts';

/** `1 trace`, `2,000 traces`. */
export const amount = (count: number, noun: string): string => `${figure(count)} ${noun}${count === 1 ? '' : 's'}`;
