export { measureEventLoopLag as watchEventLoop } from './event-loop.ts';
export {
  counters,
  gauges,
  type HistogramMetric as Histogram,
  histograms,
  type MetricFamily as Family,
  type MetricValue as Figure,
} from './family.ts';
export { processFamilies } from './process-families.ts';
