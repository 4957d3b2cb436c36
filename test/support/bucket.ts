import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import S3rver from '@20minutes/s3rver';

/** A bucket of a server of its own, in this process: it outlives the service that is killed. */
export interface Bucket {
  readonly url: string;
  /** Where its objects are, as files. */
  readonly folder: string;
  /** What a service is told to keep its blobs there. */
  readonly env: Readonly<Record<string, string>>;
  /** The next so many requests of a method, or of any, are 503. */
  fail(count: number, method?: string): void;
  stop(): Promise<void>;
}

export async function startBucket(): Promise<Bucket> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'mneme-bucket-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    // It reads the address of a bucket without its last slash, which is signed.
    allowMismatchedSignatures: true,
    directory: folder,
    configureBuckets: [{ name: 'mneme', configs: [] }],
  });
  const { port } = await server.run();
  const faults = { left: 0, method: '' };
  const front = http.createServer((request, response) => {
    const isHit = faults.left > 0 && ['', request.method].includes(faults.method);
    if (isHit) {
      faults.left -= 1;
      request.resume().once('end', () => response.writeHead(503).end());
      return;
    }
    const { method, headers, url: way } = request;
    const onward = http.request({ host: '127.0.0.1', port, method, headers, path: way });
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  await once(front.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  return {
    url,
    folder,
    env: {
      MNEME_S3_BUCKET: 'mneme',
      MNEME_S3_ENDPOINT: url,
      MNEME_S3_REGION: 'us-east-1',
      MNEME_S3_ACCESS_KEY_ID: 'S3RVER',
      MNEME_S3_SECRET_ACCESS_KEY: 'S3RVER',
      MNEME_S3_PREFIX: 'kept/',
      MNEME_S3_PATH_STYLE: 'true',
    },
    fail(count, method = '') {
      Object.assign(faults, { left: count, method });
    },
    async stop() {
      front.closeAllConnections();
      await new Promise((resolve) => front.close(resolve));
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
