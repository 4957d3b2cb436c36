import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../testing.ts';
import { IntegrityFindings } from './integrity-findings.ts';
import { WalPositionFile } from './position-file.ts';
import { compareWalPositions, formatLsn, parseLsn, type WalPosition } from './wal-position.ts';
import { WalPositionRecorder } from './wal-position-recorder.ts';

const at = (lsn: bigint, others: Partial<WalPosition> = {}): WalPosition => ({
  systemId: '7711042981587353642',
  timeline: 1,
  lsn,
  checkpointLsn: 0x100n,
  ...others,
});

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mneme-test-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

const file = (): string => path.join(folder, 'acknowledged-position');
function reopened<T>(read: (file: WalPositionFile) => T): T {
  using positions = new WalPositionFile(file());
  return read(positions);
}

describe('positions of the write-ahead log', () => {
  it('are written as PostgreSQL writes them', () => {
    for (const text of ['0/0', '0/1710598', '1F/FFFFFFFF']) {
      expect(formatLsn(parseLsn(text) ?? -1n)).toBe(text);
    }
    expect(parseLsn('0-1')).toBeNull();
  });

  it.each([
    ['nothing', at(0x200n), {}, null],
    ['nothing', at(0x300n), {}, null],
    ['missing_tail', at(0x1ffn), {}, 'missing_tail'],
    ['older_copy', at(0x1ffn), { isCleanlyShutDown: true }, 'older_copy'],
    ['older_copy', at(0x1ffn, { checkpointLsn: 0xffn }), {}, 'older_copy'],
    ['failover', at(0x300n, { timeline: 2 }), {}, 'failover'],
    ['failover_missing_tail', at(0x1ffn, { timeline: 2 }), {}, 'failover_missing_tail'],
    ['other_cluster', at(0x1n, { systemId: '1' }), {}, 'other_cluster'],
  ] as const)('tell %s of what is found after 0/200', (_, found, how, mismatch) => {
    expect(compareWalPositions(at(0x200n), found, how)).toBe(mismatch);
  });
});

describe('the file of the last acknowledged position', () => {
  it('has the last position, or the previous one if the last write is torn', async () => {
    using positions = new WalPositionFile(file());
    expect(positions.initial).toBeNull();
    for (const lsn of [0x200n, 0x300n, 0x400n]) await positions.write(at(lsn));
    expect(reopened(({ initial }) => initial)).toEqual(at(0x400n));
    const bytes = fs.readFileSync(file());
    const newest = bytes.indexOf('0/400');
    for (let byte = newest - 40; byte < newest + 40; byte += 1) {
      const torn = Buffer.from(bytes);
      torn.fill(0, byte, newest + 100);
      fs.writeFileSync(file(), torn);
      expect(reopened(({ initial }) => initial?.lsn)).toBe(0x300n);
    }
  });

  it('reports an unreadable file and starts again', async () => {
    fs.writeFileSync(file(), Buffer.alloc(8_192, 'x'));
    expect(reopened(({ isDamaged, initial }) => [isDamaged, initial])).toEqual([true, null]);
    using positions = new WalPositionFile(file());
    await positions.write(at(0x200n));
    expect(reopened(({ isDamaged, initial }) => [isDamaged, initial?.lsn])).toEqual([
      false,
      0x200n,
    ]);
  });

  it('does not grow, so that a full disk does not affect it', async () => {
    using positions = new WalPositionFile(file());
    const { size, blocks } = fs.statSync(file());
    for (let lsn = 1n; lsn < 20n; lsn += 1n) await positions.write(at(lsn));
    expect(fs.statSync(file())).toMatchObject({ size, blocks });
  });
});

describe('recording the last acknowledged position', () => {
  const findings = () => new IntegrityFindings(folder, silentLog).findings;

  async function record(integrity: IntegrityFindings, ...positions: WalPosition[]): Promise<void> {
    let position: WalPosition | undefined;
    const read = () => position ?? null;
    await using recorder = new WalPositionRecorder(folder, { integrity, log: silentLog, read });
    for (position of positions) {
      recorder.scheduleRecord();
      await recorder.flushPending();
    }
  }

  it('stores the last position, and reports nothing while positions increase', async () => {
    const integrity = new IntegrityFindings(folder, silentLog);
    await record(integrity, at(0x200n), at(0x300n));
    await record(integrity, at(0x300n), at(0x500n));
    expect(reopened(({ initial }) => initial)).toEqual(at(0x500n));
    expect(findings()).toEqual([]);
  });

  it('reports a server that moved backwards until it is acknowledged', async () => {
    const integrity = new IntegrityFindings(folder, silentLog);
    await record(integrity, at(0x300n), at(0x200n), at(0x250n));
    expect(findings()).toMatchObject([
      { kind: 'missing_tail', isDegrading: true, acknowledgedAt: null },
    ]);
    expect(findings()[0]?.message).toMatch(/up to 0\/300, but recovery ended at 0\/200\./);
    expect(new IntegrityFindings(folder, silentLog).acknowledge(null)).toBe(1);
    expect(findings()).toMatchObject([{ acknowledgedAt: expect.any(String) }]);
    expect(new IntegrityFindings(folder, silentLog).acknowledge(null)).toBe(0);
  });

  it('continues if the file cannot be written, and reports the error until it can', async () => {
    fs.mkdirSync(file());
    const integrity = new IntegrityFindings(folder, silentLog);
    let lsn = 0x200n;
    const read = () => at(lsn);
    await using recorder = new WalPositionRecorder(folder, { integrity, log: silentLog, read });
    recorder.scheduleRecord();
    await recorder.flushPending();
    expect(integrity.recordingError).toMatch(/EISDIR/);
    fs.rmdirSync(file());
    lsn = 0x300n;
    recorder.scheduleRecord();
    await recorder.flushPending();
    expect(integrity.recordingError).toBeNull();
    expect(reopened(({ initial }) => initial?.lsn)).toBe(0x300n);
  });
});
