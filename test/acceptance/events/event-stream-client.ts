import { once } from 'node:events';
import http from 'node:http';
import type { Event } from '@mneme/contract';
import type { Service } from '../../support/service.ts';

/** One message of a stream, by its fields; a heartbeat has a comment. */
interface SseMessage {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
  readonly retry?: string;
  readonly comment?: string;
}

interface StreamOptions {
  readonly lastEventId?: string | undefined;
  readonly cursor?: string | undefined;
  readonly type?: Event['type'];
  /** Further filters. */
  readonly query?: Readonly<Record<string, string>>;
}

/** Reads a stream as it comes, over a socket of its own. */
export class EventStreamClient implements Disposable {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  /** Where to come back to. */
  lastId: string | undefined;
  readonly #response: http.IncomingMessage;
  readonly #chunks: AsyncIterator<string>;
  #text = '';

  private constructor(response: http.IncomingMessage) {
    this.status = response.statusCode ?? 0;
    this.headers = response.headers;
    this.#response = response.setEncoding('utf8');
    this.#chunks = response[Symbol.asyncIterator]();
  }

  static async open(
    service: Service,
    key: string,
    wishes: StreamOptions = {},
  ): Promise<EventStreamClient> {
    const { lastEventId, cursor, type } = wishes;
    const filter = { ...(cursor && { cursor }), ...(type && { type }), ...wishes.query };
    const query = new URLSearchParams(filter);
    const headers = {
      authorization: `Bearer ${key}`,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    };
    const url = `${service.url}/v1/events/stream?${query}`;
    const request = http.get(url, { agent: false, headers });
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    return new EventStreamClient(response);
  }

  /** The next message; null at a clean end. Throws where the connection broke. */
  async nextMessage(): Promise<SseMessage | null> {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end >= 0) {
        const message = parseSseMessage(this.#text.slice(0, end));
        this.#text = this.#text.slice(end + 2);
        this.lastId = message.id ?? this.lastId;
        return message;
      }
      const { done, value } = await this.#chunks.next();
      if (done) return null;
      this.#text += value;
    }
  }

  /** The next event; null at a clean end. */
  async nextEvent(): Promise<Event | null> {
    for (;;) {
      const message = await this.nextMessage();
      if (message === null) return null;
      if (message.data !== undefined) return JSON.parse(message.data) as Event;
    }
  }

  async nextEvents(count: number): Promise<Event[]> {
    const all: Event[] = [];
    while (all.length < count) {
      const event = await this.nextEvent();
      if (event === null) throw new Error(`The stream ended after ${all.length} events.`);
      all.push(event);
    }
    return all;
  }

  [Symbol.dispose](): void {
    this.#response.destroy();
  }
}

function parseSseMessage(block: string): SseMessage {
  const fields = block.split('\n').map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon) || 'comment', line.slice(colon + 1).trim()];
  });
  return Object.fromEntries(fields) as SseMessage;
}
