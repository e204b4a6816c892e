import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, jest, test } from '@jest/globals';
import { limitLastStall, limitStall } from '../../src/http/send-response.ts';

const LIMIT_MS = 8_000;
const PERIOD_MS = 1_000;

/** A response whose socket fires `timeout` after each period without progress, as Node's sockets do. */
function stalledResponse() {
  const periods: number[] = [];
  const socket = {
    timeout: 0,
    setTimeout(ms: number) {
      socket.timeout = ms;
      periods.push(ms);
    },
  };
  const response = Object.assign(new EventEmitter(), { socket, destroy: jest.fn() });
  return { response: response as unknown as ServerResponse, destroy: response.destroy, periods };
}

test('disconnects a reader after eight periods in a row in which it took nothing', () => {
  jest.useFakeTimers({ advanceTimers: false });
  const { response, destroy, periods } = stalledResponse();
  const onStall = jest.fn();
  limitStall(response, { stalledReaderMs: LIMIT_MS, onStall });

  for (let period = 1; period <= 8; period++) {
    jest.advanceTimersByTime(PERIOD_MS);
    response.emit('timeout');
    expect(destroy).toHaveBeenCalledTimes(period < 8 ? 0 : 1);
  }

  expect(new Set(periods)).toEqual(new Set([PERIOD_MS]));
  expect(onStall).toHaveBeenCalledTimes(1);
  jest.useRealTimers();
});

test('begins again when the reader took something in between', () => {
  jest.useFakeTimers({ advanceTimers: false });
  const { response, destroy } = stalledResponse();
  limitStall(response, { stalledReaderMs: LIMIT_MS });

  for (let times = 0; times < 20; times++) {
    for (let period = 0; period < 6; period++) {
      jest.advanceTimersByTime(PERIOD_MS);
      response.emit('timeout');
    }
    // Node begins a new period without a word when the kernel took something.
    jest.advanceTimersByTime(PERIOD_MS);
  }

  expect(destroy).not.toHaveBeenCalled();
  jest.useRealTimers();
});

test('disconnects a reader that takes nothing of the rest of a complete response', () => {
  jest.useFakeTimers({ advanceTimers: false });
  const { response, destroy } = stalledResponse();
  limitLastStall(Object.assign(response, { writableLength: 1 }), { stalledReaderMs: LIMIT_MS });

  for (let period = 1; period <= 8; period++) {
    jest.advanceTimersByTime(PERIOD_MS);
    response.emit('timeout');
  }

  expect(destroy).toHaveBeenCalledTimes(1);
  jest.useRealTimers();
});
