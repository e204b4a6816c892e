export {
  counters,
  gauges,
  type HistogramMetric,
  histograms,
  type MetricFamily,
  type MetricValue,
} from './families.ts';
export { measureEventLoopLag, processFamilies } from './process.ts';
