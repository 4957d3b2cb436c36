import { once } from 'node:events';
import fs from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { asUnprivilegedUser, isAvailable } from '../../support/requirements.ts';
import {
  createDataLocation,
  type DataLocation,
  type LaunchOptions,
  launchServer,
  serverProgram,
} from '../../support/server-process.ts';
import { mountSmallDisk } from '../../support/small-disk.ts';

/** Starts, and gives the one line that it ends with. */
async function refusal(place: DataLocation, options: LaunchOptions = {}): Promise<string> {
  await using server = launchServer(place, options);
  expect(await server.ended).toEqual({ code: 1, signal: null });
  expect(server.output()).not.toMatch(/^\s+at /m);
  const said = server.output().match(/^mneme: .*$/gm) ?? [];
  expect(said, server.output()).toHaveLength(1);
  return said[0] ?? '';
}

describe('a start that cannot be ends with one line that says what to do', () => {
  it.runIf(isAvailable('mount'))('where the disk is mounted read-only', async () => {
    using disk = await mountSmallDisk(100);
    disk.remount('ro');
    expect(await refusal(disk.place)).toMatch(
      /data is on a read-only file system: mount it writable, or choose another .*DIR\.$/,
    );
  });

  it.runIf(isAvailable('anotherUser'))('where the folder is of another user', async () => {
    const place = await createDataLocation('embedded');
    expect(await refusal(place, { wrapper: asUnprivilegedUser })).toMatch(
      /uid 65534; it belongs to uid \d+\): change its owner to the user .* \(chown -R\)/,
    );
    await place.remove();
  });

  it.runIf(isAvailable('anotherUser'))(
    'where root would use the folder of another user',
    async () => {
      const place = await createDataLocation('embedded');
      fs.chownSync(path.join(place.dataDir, 'pg'), 65534, 65534);
      expect(await refusal(place)).toMatch(
        /pg belongs to uid 65534, .* root .*: run this as that user \(runuser -u/,
      );
      await place.remove();
    },
  );

  it('where a file stands in its place', async () => {
    const place = await createDataLocation('embedded');
    const dataDir = path.join(place.dataDir, 'file');
    fs.writeFileSync(dataDir, 'kept');
    expect(await refusal({ ...place, dataDir })).toContain('is not a folder: move the file away');
    expect(fs.readFileSync(dataDir, 'utf8')).toBe('kept');
    await place.remove();
  });

  it.each([
    ['the control file is garbage', 'global/pg_control', Buffer.alloc(8_192, 7)],
    ['the control file is missing', 'global/pg_control', null],
    ['the version file is missing', 'PG_VERSION', null],
    ['a table of the catalogue is garbage', 'base/5/1259', Buffer.alloc(16_384, 7)],
    ['a table of the catalogue is cut off', 'base/5/1249', Buffer.alloc(0)],
  ])('where %s, and leaves the files as they are', async (_, name, bytes) => {
    const place = await createDataLocation('embedded');
    const file = path.join(place.dataDir, 'pg', name);
    if (bytes) fs.writeFileSync(file, bytes);
    else fs.rmSync(file);
    expect(await refusal(place)).toMatch(/does not open .*restore a backup/);
    expect(fs.existsSync(file) ? fs.readFileSync(file) : null).toEqual(bytes);
    await place.remove();
  });

  it.each([
    ['its port', 'MNEME_PORT'],
    ['its port for metrics', 'MNEME_METRICS_PORT'],
  ])('where something else listens on %s', async (_, setting) => {
    const place = await createDataLocation('embedded');
    const other = net.createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    expect(await refusal(place, { env: { [setting]: String(port) } })).toBe(
      `mneme: Cannot listen on 127.0.0.1, port ${port}: another process uses the port: stop it, ` +
        `or change ${setting}.`,
    );
    other.close();
    await place.remove();
  });

  it('where its host is no address of this machine', async () => {
    const place = await createDataLocation('embedded');
    const said = await refusal(place, { env: { MNEME_HOST: '192.0.2.1' } });
    expect(said).toContain('the address is not of this machine: change MNEME_HOST.');
    await place.remove();
  });

  it('where no PostgreSQL answers', async () => {
    const place = await createDataLocation('embedded', { migrated: false });
    const databaseUrl = 'postgres://mneme:hidden@127.0.0.1:1/mneme';
    const said = await refusal({ ...place, databaseUrl });
    expect(said).toMatch(
      /PostgreSQL at 127\.0\.0\.1:1 cannot be used .*correct MNEME_DATABASE_URL/,
    );
    expect(said).not.toContain('hidden');
    await place.remove();
  });
});

describe('the exit code of the program', () => {
  it.each([
    [['--help'], 0, /^Usage: mneme-server /m],
    [['--version'], 0, /^\d+\.\d+\.\d+/m],
    [['start', '--help'], 0, /^Usage: mneme-server start/m],
    [['strat'], 2, /unknown command/],
    [['start', '--no-such-option'], 2, /unknown option/],
  ] as const)('of %j is %d', async (parameters, code, text) => {
    const place = await createDataLocation('embedded', { migrated: false });
    await using program = launchServer(place, { command: [...serverProgram, ...parameters] });
    expect(await program.ended).toEqual({ code, signal: null });
    expect(program.output()).toMatch(text);
    await place.remove();
  });
});
