import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../../packages/server/src/kernel/clock.ts';
import { createIds } from '../../../packages/server/src/kernel/ids.ts';
import {
  BlobStoreUnavailable,
  createFolderBlobStore,
} from '../../../packages/server/src/providers/blobs/index.ts';
import { waveFile } from '../../support/media-containers.ts';
import { startService } from '../../support/service.ts';
import { createForm, errorCodeOf, uploadForm } from './http-requests.ts';

it('where the disk of the files is full, each refused upload is one warning with why', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'mneme-full-'));
  const blobs = {
    ...createFolderBlobStore(folder, { ids: createIds(systemClock), clock: systemClock }),
    write: async () => {
      throw new BlobStoreUnavailable('the blob folder cannot be written (ENOSPC)');
    },
  };
  const service = await startService('embedded', { overrides: { blobs } });
  try {
    const credentials = { url: service.url, key: service.adminKey };
    for (const round of [1, 2]) {
      const response = await uploadForm(credentials, createForm(waveFile(Buffer.alloc(9_000))));
      expect([response.status, errorCodeOf(response)]).toEqual([503, 'service_unavailable']);
      const lines = service.logLines.filter((line) => line.includes('ENOSPC'));
      expect(lines.map((line) => JSON.parse(line).level)).toEqual(Array(round).fill('warn'));
      expect(JSON.parse(lines.at(-1) ?? '{}').reqId).toBe(response.headers.get('x-request-id'));
    }
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
