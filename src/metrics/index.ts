export { measureEventLoopLag } from './event-loop.ts';
export {
  counters,
  gauges,
  type HistogramMetric,
  histograms,
  type MetricFamily,
  type MetricValue,
} from './family.ts';
export { processFamilies } from './process-families.ts';
