import { describe, expect, it } from 'vitest';
import { type BackupStatus, evaluateBackups } from './status.ts';

const daily = '0 3 * * *';
const at = (text: string): Date => new Date(`2026-03-${text}Z`);
const none: BackupStatus = { scheduledSince: null, last: null, failure: null };
const backedUp = (day: string): BackupStatus => ({
  scheduledSince: at('01T00:00:00'),
  last: {
    at: at(`${day}T03:00:05`).toISOString(),
    location: `/backups/${day}`,
    bytes: 1,
    seconds: 1,
  },
  failure: null,
});
const failed = (step: 'write' | 'remove', status: BackupStatus): BackupStatus => ({
  ...status,
  failure: { at: at('03T03:00:00').toISOString(), step, reason: 'the disk is full.' },
});

describe('evaluateBackups', () => {
  it('reports the location, and a problem only when the next backup is 6 hours late', () => {
    const detail = 'The last backup is of 2026-03-02T03:00:05.000Z: /backups/02.';
    expect(evaluateBackups(backedUp('02'), daily, at('03T09:00:00'))).toEqual({ detail });
    expect(evaluateBackups(backedUp('02'), daily, at('03T09:00:01'))).toMatchObject({
      problems: [
        {
          kind: 'backup_missing',
          severity: 'warning',
          message: `The backup of 2026-03-03T03:00:00.000Z is missing. ${detail}`,
          action: expect.stringMatching(/^Start the server/),
        },
      ],
    });
  });

  it('reports a missing backup if none was created since the start of the schedule', () => {
    const detail = 'No backup has been created yet.';
    const planned = { ...none, scheduledSince: at('01T04:00:00') };
    expect(evaluateBackups(none, daily, at('30T00:00:00'))).toEqual({ detail });
    expect(evaluateBackups(planned, daily, at('02T09:00:00'))).toEqual({ detail });
    expect(evaluateBackups(planned, daily, at('02T09:00:01'))).toMatchObject({
      problems: [{ kind: 'backup_missing' }],
    });
  });

  it.each([
    ['write', 'The backup of 2026-03-03T03:00:00.000Z failed'],
    ['remove', 'Backups older than the one of 2026-03-03T03:00:00.000Z were not removed'],
  ] as const)('failed at %s: reports the reason and an action', (step, what) => {
    const { detail, problems } = evaluateBackups(failed(step, none), daily, at('03T03:01:00'));
    expect(detail).toBe(`${what}: the disk is full. No backup has been created yet.`);
    expect(problems).toEqual([
      {
        kind: 'backup_failed',
        severity: 'error',
        message: detail,
        action: expect.stringContaining('MNEME_BACKUP_DIR'),
      },
    ]);
  });

  it('reports no problem without a schedule', () => {
    const now = at('30T00:00:00');
    expect(evaluateBackups(none, null, now)).toEqual({ detail: 'No backups are scheduled.' });
    expect(evaluateBackups(failed('write', backedUp('02')), null, now)).toEqual({
      detail: expect.stringMatching(/^No backups are scheduled\. The last backup is of .*02\.$/),
    });
  });
});
