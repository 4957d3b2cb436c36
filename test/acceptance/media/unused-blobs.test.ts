import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  collectReferencedBlobs,
  scheduleBlobRemoval,
} from '../../../packages/server/src/domains/blobs/index.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { listBlobs } from './blobs.ts';

describe.each(engines)('a blob that two rows name on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine, { isExclusive: true });
  });
  afterAll(() => service.stop());

  it('goes where the second row goes while the job looks for it', async () => {
    const { app, worker } = service.running.context;
    const { name } = await app.blobs.write(Readable.from([Buffer.from('bytes')]), { bytesMax: 9 });
    const drop = () => app.engine.transaction((tx) => scheduleBlobRemoval({ ...app, tx }, [name]));
    let rows = 1;
    collectReferencedBlobs.on(app, async (_, names, named) => {
      if (rows === 0 || !names.includes(name)) return;
      named.add(name);
      // After the check, before the job has removed the blob.
      rows = 0;
      await drop();
    });
    await drop();
    await worker.drain();
    expect(await listBlobs(service)).toEqual([]);
  });
});
