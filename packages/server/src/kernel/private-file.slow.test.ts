import fs from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { isAvailable } from '../../../../test/support/requirements.ts';
import { mountSmallDisk } from '../../../../test/support/small-disk.ts';
import { readOrCreatePrivateFile, writePrivateFile } from './private-file.ts';

it.runIf(isAvailable('mount'))(
  'on a full disk is an error that says so, and leaves nothing',
  async () => {
    using disk = await mountSmallDisk(100);
    disk.fill(0);
    const full = path.dirname(disk.place.dataDir);
    const before = await fs.readdir(full);
    for (const write of [writePrivateFile, readOrCreatePrivateFile]) {
      const written = write(path.join(full, 'secret-key'), 'x'.repeat(8_192));
      await expect(written).rejects.toThrow(/secret-key cannot be written because .* full/);
    }
    expect(await fs.readdir(full)).toEqual(before);
  },
);
