import type { Attributes, Context, Span, SpanOptions } from '@opentelemetry/api';
import { type OpenTelemetryApi, openTelemetry } from '../../telemetry/index.ts';
import { PACKAGE } from '../package.ts';
import type { AuthorWork, AuthorWorkEnd, Observer, ObserverSpan, RequestEnd } from './observer.ts';

/**
 * Makes spans for OpenTelemetry: one per request, with those of setup, calls and teardown below it. Where nothing is
 * registered with it, a request costs the question whether something is.
 */
export function tracingObserver(): Partial<Observer> {
  let spans: SpanObserver | undefined;
  const current = () => {
    if (!spans) {
      const api = openTelemetry();
      spans = api && spanObserver(api);
    }
    return spans;
  };
  return { request: (request) => current()?.request(request), authorWork: (work) => current()?.authorWork(work) };
}

type SpanObserver = Pick<Observer, 'request' | 'authorWork'>;

function spanObserver(api: OpenTelemetryApi): SpanObserver {
  const tracer = api.trace.getTracer(PACKAGE.name, PACKAGE.version);
  const nobody = new api.ProxyTracerProvider().getDelegate();
  const isRegistered = () => {
    const provider = api.trace.getTracerProvider();
    // Of another copy of the package it is known only that there is one.
    return !(provider instanceof api.ProxyTracerProvider) || provider.getDelegate() !== nobody;
  };
  const begin = <End>(name: string, options: SpanOptions, parent: Context, end: (span: Span, end: End) => void) => {
    const span = tracer.startSpan(name, options, parent);
    if (!api.isSpanContextValid(span.spanContext())) return undefined;
    const context = api.trace.setSpan(parent, span);
    const watch: ObserverSpan<End> = {
      run: (work) => api.context.with(context, work),
      ended(how) {
        end(span, how);
        span.end();
      },
    };
    return watch;
  };
  return {
    request({ method, headers }) {
      if (!isRegistered()) return undefined;
      const options = { kind: api.SpanKind.SERVER, attributes: { 'http.request.method': method } };
      const here = api.context.active();
      // Where the server is mounted in another one that makes spans, ours belongs to that one's.
      const parent = api.trace.getSpan(here) ? here : api.propagation.extract(here, headers);
      return begin<RequestEnd>(method, options, parent, (span, departure) => {
        if (departure.route !== undefined) span.updateName(`${method} ${departure.route}`);
        span.setAttributes(requestAttributes(departure));
        if (departure.status >= 500) span.setStatus({ code: api.SpanStatusCode.ERROR });
      });
    },
    authorWork(work) {
      if (!isRegistered()) return undefined;
      const name = work.tool === undefined ? work.kind : `${work.kind} ${work.tool}`;
      return begin<AuthorWorkEnd>(name, { attributes: workAttributes(work) }, api.context.active(), (span, end) => {
        span.setAttribute('ors.outcome', end.outcome);
        if (end.outcome !== 'error' && end.outcome !== 'timeout') return;
        span.setStatus({ code: api.SpanStatusCode.ERROR, ...(end.error !== undefined && { message: end.error }) });
      });
    },
  };
}

const requestAttributes = (departure: RequestEnd): Attributes => ({
  'http.response.status_code': departure.status,
  ...(departure.status >= 500 && { 'error.type': String(departure.status) }),
  ...(departure.route !== undefined && { 'http.route': departure.route }),
  ...(departure.operation !== undefined && { 'ors.operation': departure.operation }),
  ...(departure.sid !== undefined && { 'ors.session.id': departure.sid }),
  ...(departure.environment !== undefined && { 'ors.environment': departure.environment }),
});

const workAttributes = ({ sid, environment, tool, waitedMs }: AuthorWork): Attributes => ({
  'ors.session.id': sid,
  'ors.environment': environment,
  ...(tool !== undefined && { 'ors.tool': tool }),
  ...(waitedMs !== undefined && { 'ors.waited_ms': waitedMs }),
});
