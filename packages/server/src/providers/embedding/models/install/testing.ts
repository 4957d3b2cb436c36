import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HubDeps } from './hub.ts';

export const hubRevision = 'a'.repeat(40);

/** Responds to a request for a file itself; false: the hub responds as usual. */
type FileHandler = (bytes: Buffer, response: ServerResponse, request: IncomingMessage) => boolean;

/** A model hub on this machine that can simulate failures. */
export interface FakeHub extends AsyncDisposable {
  readonly deps: HubDeps;
  /** Paths of requested files, with their ranges. */
  readonly requests: string[];
  /** Pauses before retries, in milliseconds. */
  readonly pauses: number[];
  /** Handles the following requests for files. */
  handle: FileHandler;
  /** The status of the list of files; 200: it is sent. */
  listStatus: number;
}

export async function startFakeHub(
  files: Readonly<Record<string, Buffer>>,
  { repository = 'own/tiny', idleMs = 5_000 } = {},
): Promise<FakeHub> {
  const siblings = Object.entries(files).map(([rfilename, bytes]) => ({
    rfilename,
    size: bytes.length,
    ...(rfilename.endsWith('.onnx')
      ? { lfs: { sha256: sha256Of(bytes), size: bytes.length } }
      : {}),
  }));
  const server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? '').split('?')[0] ?? '');
    if (path.startsWith(`/api/models/${repository}/revision/`)) {
      if (hub.listStatus !== 200) return void response.writeHead(hub.listStatus).end();
      return void response.end(JSON.stringify({ sha: hubRevision, siblings }));
    }
    const name = path.replace(`/${repository}/resolve/${hubRevision}/`, '');
    const bytes = files[name];
    if (bytes === undefined) return void response.writeHead(404).end();
    const { range } = request.headers;
    hub.requests.push(range === undefined ? name : `${name} ${range}`);
    if (!hub.handle(bytes, response, request)) sendFile(bytes, response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const pauses: number[] = [];
  const { port } = server.address() as AddressInfo;
  const hub: FakeHub = {
    deps: {
      hub: `http://127.0.0.1:${port}`,
      token: undefined,
      fetch,
      sleep: async (ms) => void pauses.push(ms),
      idleMs,
    },
    requests: [],
    pauses,
    handle: () => false,
    listStatus: 200,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return hub;
}

export function sendFile(bytes: Buffer, response: ServerResponse, request: IncomingMessage): void {
  const [, from] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? [];
  if (from === undefined) return void response.writeHead(200).end(bytes);
  const start = Number(from);
  if (start >= bytes.length) return void response.writeHead(416).end();
  const range = `bytes ${start}-${bytes.length - 1}/${bytes.length}`;
  response.writeHead(206, { 'content-range': range }).end(bytes.subarray(start));
}

export const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** The files of a model that can be installed, though not loaded. */
export const tinyFiles = (): Record<string, Buffer> => ({
  'config.json': Buffer.from('{"hidden_size":3}'),
  'tokenizer.json': Buffer.from('{}'),
  'tokenizer_config.json': Buffer.from('{}'),
  '1_Pooling/config.json': Buffer.from('{"pooling_mode_cls_token":true}'),
  'onnx/model_quantized.onnx': Buffer.from(Array.from({ length: 300_000 }, (_, i) => i % 251)),
  'README.md': Buffer.from('not needed'),
});
