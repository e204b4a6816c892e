export { watchEventLoop } from './event-loop.ts';
export { counters, type Family, type Figure, gauges, type Histogram, histograms } from './family.ts';
export { processFamilies } from './process-families.ts';
