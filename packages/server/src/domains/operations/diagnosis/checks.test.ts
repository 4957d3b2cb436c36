import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../../kernel/config.ts';
import { evaluateDiskSpace } from './disk.ts';
import { DiagnosisReport } from './report.ts';
import { checkSecrets } from './secrets.ts';

const mb = 2 ** 20;
const kinds = (problems: readonly { kind: string }[] = []) => problems.map(({ kind }) => kind);

describe('evaluateDiskSpace', () => {
  const evaluate = (freeMb: number, usedMb: number, limitMb = 256) =>
    evaluateDiskSpace('/data', { free: freeMb * mb, used: usedMb * mb, limit: limitMb * mb });

  it('reports nothing above the limit and a tenth of the data', () => {
    expect(evaluate(1_256, 10_000)).toEqual([]);
    expect(evaluate(0, 0, 0)).toEqual([]);
  });

  it('reports a low disk below that, and a full disk below the limit, with the figures', () => {
    expect(evaluate(1_255, 10_000)).toMatchObject([{ kind: 'disk_low', severity: 'warning' }]);
    expect(evaluate(255, 10)).toMatchObject([
      {
        kind: 'disk_full',
        severity: 'error',
        message:
          'The disk of /data has 255 MB free, less than the limit of 256 MB: writes are rejected.',
        action: expect.stringContaining('MNEME_DISK_FREE_MIN_MB'),
      },
    ]);
  });
});

describe('checkSecrets', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'mneme-test-'));
  });
  afterEach(() => fs.rm(dataDir, { recursive: true }));

  const check = (env: Record<string, string> = {}) =>
    checkSecrets(readConfig({ MNEME_DATA_DIR: dataDir, ...env }).config);
  async function write(name: string, mode: number): Promise<string> {
    const file = path.join(dataDir, name);
    await fs.writeFile(file, 'secret');
    await fs.chmod(file, mode);
    return file;
  }

  it('reports files that other users can read, with a command', async () => {
    await write('secret-key', 0o600);
    const file = await write('admin-key', 0o640);
    await write('admin-key.0b7e', 0o604);
    await write('database.json', 0o644);
    const { problems } = await check();
    expect(kinds(problems)).toEqual(['readable_secret', 'readable_secret']);
    expect(problems?.[0]).toEqual({
      kind: 'readable_secret',
      severity: 'error',
      message: `Other users of this machine can read ${file} (mode 640).`,
      action: `Run: chmod 600 '${file}'. Replace the key if others may have read it.`,
    });
  });

  it('allows keys of certificates and signatures to belong to a group', async () => {
    const tls = await write('tls.pem', 0o640);
    const dkim = await write('dkim.pem', 0o644);
    const env = {
      MNEME_SMTP_PORT: '0',
      MNEME_SMTP_TLS_CERT: tls,
      MNEME_SMTP_TLS_KEY: tls,
      MNEME_DKIM_KEY: dkim,
    };
    const { problems } = await check(env);
    expect(problems).toMatchObject([{ message: expect.stringContaining(dkim) }]);
  });

  it('ignores missing files', async () => {
    expect(await check({ MNEME_DKIM_KEY: path.join(dataDir, 'gone') })).toEqual({ problems: [] });
    await fs.rm(dataDir, { recursive: true });
    expect(await check()).toEqual({ problems: [] });
    await fs.mkdir(dataDir);
  });
});

describe('DiagnosisReport', () => {
  it('continues after a failed check and reports it', async () => {
    const report = new DiagnosisReport(new Date('2026-01-01T00:00:00Z'), { disk: { ok: true } });
    await report.run('blobs', () => Promise.reject(new Error('gone')));
    await report.run('disk', () => ({ detail: '3 MB free' }));
    expect(report.hasFindings).toBe(true);
    expect(report.toDiagnosis('ok', '/data')).toEqual({
      data_dir: '/data',
      status: 'ok',
      checks: { disk: { ok: true, detail: '3 MB free' }, blobs: { ok: false } },
      findings: [
        {
          id: null,
          kind: 'check_failed',
          severity: 'error',
          degrades_health: false,
          message: 'The check blobs failed: gone',
          action: 'Fix the cause and run the check again.',
          found_at: '2026-01-01T00:00:00.000Z',
          acknowledged_at: null,
        },
      ],
    });
  });
});
