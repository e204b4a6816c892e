export { watchEventLoop } from './event-loop.ts';
export { counters, gauges, histograms } from './family.ts';
export { processFamilies } from './process-families.ts';
