import { tryParseJson } from '../../../core/index.ts';
import type { CallObserver } from './watcher.ts';

/**
 * Watches who reads a bare response by its body, `json` or `text`. It remains the same object, which a program may hand
 * on; where somebody reads it past these, as `clone` does, nobody watches.
 *
 * @param claim asked at the first reading, whether the answer is not watched elsewhere.
 */
export function observeResponseBody(response: Response, watcher: CallObserver, claim: () => boolean): void {
  const native = { body: response.body, json: response.json.bind(response), text: response.text.bind(response) };
  let body: ReadableStream<Uint8Array> | null | undefined;
  define('body', {
    get() {
      body ??=
        native.body && !response.bodyUsed && claim() ? tapBytes(native.body, readerOf(response, watcher)) : native.body;
      return body;
    },
  });
  define('json', { value: () => (claim() ? reported(native.json()) : native.json()) });
  define('text', { value: () => (claim() ? read() : native.text()) });

  function define(name: keyof Response, property: PropertyDescriptor): void {
    Object.defineProperty(response, name, { ...property, configurable: true });
  }

  async function reported(parsing: Promise<unknown>): Promise<unknown> {
    const value = await parsing;
    watcher.response(value);
    return value;
  }

  async function read(): Promise<string> {
    const text = await native.text();
    const reader = readerOf(response, watcher);
    reader.write(new TextEncoder().encode(text));
    reader.end();
    return text;
  }
}

/** Takes the bytes of a body. */
interface BytesReader {
  write(bytes: Uint8Array): void;
  end(error?: unknown): void;
}

const readerOf = ({ headers }: Response, watcher: CallObserver): BytesReader =>
  headers.get('content-type')?.includes('text/event-stream') ? readEvents(watcher) : readJson(watcher);

const LINE_END = /\r\n|\n|\r/;

/** Each event of a provider's stream has its JSON in one line. */
function readEvents(watcher: CallObserver): BytesReader {
  const decoder = new TextDecoder();
  let rest = '';
  function take(text: string): void {
    const lines = (rest + text).split(LINE_END);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const data = line.startsWith('data:') ? line.slice('data:'.length).trim() : '';
      if (data.startsWith('{')) watcher.item(tryParseJson(data));
    }
  }
  return {
    write: (bytes) => take(decoder.decode(bytes, { stream: true })),
    end: (error) => watcher.end(error),
  };
}

function readJson(watcher: CallObserver): BytesReader {
  const decoder = new TextDecoder();
  let text = '';
  return {
    write(bytes) {
      text += decoder.decode(bytes, { stream: true });
    },
    end() {
      const value = tryParseJson(text);
      // What was left before its end is no answer.
      if (value !== undefined) watcher.response(value);
    },
  };
}

/** The same bytes at the same pace. */
function tapBytes(body: ReadableStream<Uint8Array>, watching: BytesReader): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let isOver = false;
  function end(error?: unknown): void {
    if (!isOver) watching.end(error);
    isOver = true;
  }
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { value, done } = await reader.read();
          if (done) {
            end();
            controller.close();
          } else {
            watching.write(value);
            controller.enqueue(value);
          }
        } catch (error) {
          end(error);
          controller.error(error);
        }
      },
      cancel(reason) {
        end();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
