import { counters, gauges, histograms } from '../../../metrics/index.ts';

/** In seconds: calls take from a fraction of a millisecond to half an hour. */
const DURATIONS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];
/** In fewer steps, since there is a histogram per operation and status. */
const REQUESTS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60, 600];
const DELAYS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/**
 * The metrics of a server. A label has values out of a set that clients cannot make grow: environments, tools of
 * authors, operations, statuses and words of our own.
 */
export function serverFamilies() {
  const of = (name: string, help: string, ...labels: string[]) => ({ name, help, labels });
  return {
    build: gauges(of('ors_build_info', 'Version of the server and of Node; always 1.', 'version', 'node')),
    ready: gauges(of('ors_ready', 'Whether new episodes are taken: 1 or 0.')),

    sessions: gauges(of('ors_sessions', 'Sessions by state.', 'environment', 'state')),
    sessionsOpened: counters(of('ors_sessions_opened_total', 'Sessions that were opened.', 'environment')),
    sessionsEnded: counters(of('ors_sessions_ended_total', 'Sessions that ended, and why.', 'environment', 'reason')),
    refused: counters(of('ors_refused_total', 'Requests turned away, and why.', 'reason')),

    setup: histograms(of('ors_setup_duration_seconds', 'Setup of episodes.', 'environment', 'outcome'), DURATIONS),
    teardown: histograms(
      of('ors_teardown_duration_seconds', 'Teardown of episodes.', 'environment', 'outcome'),
      DURATIONS,
    ),
    calls: histograms(
      of('ors_call_duration_seconds', 'Calls from their turn to their outcome.', 'environment', 'tool', 'outcome'),
      DURATIONS,
    ),
    callsRunning: gauges(of('ors_calls_running', 'Calls that run now.', 'environment')),
    callsRepeated: counters(of('ors_calls_repeated_total', 'Calls asked for again by their task_id.', 'found')),
    queueLength: gauges(of('ors_queue_length', 'What waits for its turn now.', 'queue')),
    queueWait: histograms(of('ors_queue_wait_seconds', 'Waits for a turn that are over.', 'queue'), DURATIONS),

    requests: histograms(
      of('ors_http_request_duration_seconds', 'Requests until their answer was sent.', 'operation', 'status'),
      REQUESTS,
    ),
    requestsOpen: gauges(of('ors_http_requests_open', 'Requests that have no whole answer yet.')),
    streamsOpen: gauges(of('ors_streams_open', 'Event streams that are being sent.')),
    streamsStalled: gauges(of('ors_streams_stalled', 'Event streams that wait for their reader now.')),
    streamStalledSeconds: counters(
      of('ors_stream_stalled_seconds_total', 'How long event streams waited for their readers, all together.'),
    ),
    readersCut: counters(
      of('ors_readers_cut_total', 'Readers that took nothing of an answer for too long and were disconnected.'),
    ),
    streamBytes: counters(of('ors_stream_bytes_total', 'Bytes of events that were sent.')),

    eventLoopDelay: histograms(
      of('ors_event_loop_delay_seconds', 'How late a timer of the event loop fires; looked at every 50 ms.'),
      DELAYS,
    ),
  };
}

export type ServerFamilies = ReturnType<typeof serverFamilies>;
