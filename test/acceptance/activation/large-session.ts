import http from 'node:http';
import type { Client } from '@mneme/sdk';
import { onlySessionOfKey } from './session-requests.ts';

const megabyte = 1_000_000;

/** A session, under the key `k`, of that many memories of a megabyte each. */
export async function createLargeSession(client: Client, count: number): Promise<string> {
  for (let i = 0; i < count; i += 1) {
    const content = `needle ${i}${' '.repeat(megabyte)}|`;
    await client.memories.create({ body: { content } });
  }
  for (let offset = 0; offset < count; offset += 10) {
    await client.search.get({ query: { q: 'needle', session: 'k', limit: 10, offset } });
  }
  const { id, memory_ids } = await onlySessionOfKey(client, 'k');
  if (memory_ids.length !== count) throw new Error(`the session has ${memory_ids.length}`);
  return id;
}

/** What of a session comes piece by piece. */
export const streamedReads = [
  'export?format=markdown',
  'export?format=json',
  'export?format=csv',
  'export?format=html',
  'report',
];

/** An answer whose body comes as it is read; it has a connection of its own. */
export interface StreamedResponse {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  text(): Promise<string>;
  /** How many bytes come; none of them is kept. */
  byteLength(): Promise<number>;
  /** Hangs up. */
  abort(): void;
}

export function requestStream(
  url: string,
  key: string,
  path: string,
  method = 'GET',
): Promise<StreamedResponse> {
  const headers = { authorization: `Bearer ${key}` };
  const request = http.request(`${url}/v1/sessions/${path}`, { method, headers, agent: false });
  return new Promise((resolve, reject) => {
    request.once('error', reject);
    request.once('response', (answer) => resolve(toStreamedResponse(answer)));
    request.end();
  });
}

const toStreamedResponse = (answer: http.IncomingMessage): StreamedResponse => ({
  status: answer.statusCode ?? 0,
  headers: answer.headers,
  text: async () => (await answer.setEncoding('utf8').toArray()).join(''),
  async byteLength() {
    let bytes = 0;
    for await (const chunk of answer) bytes += (chunk as Uint8Array).length;
    return bytes;
  },
  abort: () => void answer.destroy(),
});
