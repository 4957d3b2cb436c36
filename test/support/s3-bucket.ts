import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import S3rver from '@20minutes/s3rver';

/** An S3 server with one bucket in this process, so that it survives a killed service. */
export interface S3Bucket {
  readonly url: string;
  /** The folder with its objects as files. */
  readonly folder: string;
  /** Settings of a service that stores its blobs in the bucket. */
  readonly env: Readonly<Record<string, string>>;
  /** The next `count` requests, optionally of one method, respond with 503. */
  fail(count: number, method?: string): void;
  stop(): Promise<void>;
}

export async function startS3Bucket(): Promise<S3Bucket> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'mneme-bucket-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    // s3rver verifies the signature of the bucket URL without its trailing slash.
    allowMismatchedSignatures: true,
    directory: folder,
    configureBuckets: [{ name: 'mneme', configs: [] }],
  });
  const { port } = await server.run();
  const failures = { left: 0, method: '' };
  const proxy = http.createServer((request, response) => {
    const shouldFail = failures.left > 0 && ['', request.method].includes(failures.method);
    if (shouldFail) {
      failures.left -= 1;
      request.resume().once('end', () => response.writeHead(503).end());
      return;
    }
    const { method, headers, url: target } = request;
    const upstream = http.request({ host: '127.0.0.1', port, method, headers, path: target });
    upstream.on('response', (upstreamResponse) => {
      response.writeHead(upstreamResponse.statusCode ?? 500, upstreamResponse.headers);
      upstreamResponse.pipe(response);
    });
    upstream.on('error', () => response.destroy());
    response.on('close', () => upstream.destroy());
    request.pipe(upstream);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
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
      Object.assign(failures, { left: count, method });
    },
    async stop() {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
