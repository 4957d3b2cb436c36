import fs from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createDataLocation,
  type DataLocation,
  startServerProcess,
} from '../../support/server-process.ts';
import { oneEngine } from '../../support/service.ts';
import { runCli } from './run-cli.ts';

/** Nobody listens there. */
const url = 'http://127.0.0.1:1';

const settingsOf = ({ dataDir, databaseUrl }: DataLocation): Record<string, string> => ({
  MNEME_URL: url,
  MNEME_DATA_DIR: dataDir,
  ...(databaseUrl === null ? {} : { MNEME_DATABASE_URL: databaseUrl }),
});

describe.each(oneEngine)('mneme doctor on %s', (engine) => {
  it('asks the service, and checks the machine while it is stopped', async () => {
    const place = await createDataLocation(engine);
    const env = settingsOf(place);
    await using server = await startServerProcess(place);
    const asked = await runCli(['doctor'], { ...env, MNEME_URL: server.url });
    expect(asked).toMatchObject({ code: 0, stderr: '' });
    expect(asked.stdout).toMatch(/^status +ok\n.*^jobs +ok$/ms);
    expect(asked.stdout).toMatch(/^backups +ok No backups are scheduled\.$/m);

    const key = path.join(place.dataDir, 'secret-key');
    await fs.chmod(key, 0o644);
    const found = await runCli(['doctor'], { ...env, MNEME_URL: server.url });
    expect(found).toMatchObject({ code: 1 });
    expect(found.stderr).toBe('mneme: findings_open: 1 finding to act on.\n');
    expect(found.stdout).toMatch(
      /Z error: readable_secret\n.*secret-key.*\n {2}What to do: Run: chm/,
    );
    await server.kill('SIGTERM');

    const local = await runCli(['doctor', '--json'], env);
    expect(local).toMatchObject({
      code: 1,
      stderr: 'mneme: The service does not respond: checking its settings, files and database.\n',
    });
    expect(JSON.parse(local.stdout)).toMatchObject({ findings: [{ kind: 'readable_secret' }] });
    await fs.chmod(key, 0o600);
    const whole = await runCli(['doctor'], env);
    expect(whole).toMatchObject({ code: 0 });
    expect(whole.stdout).toMatch(/^status +ok\n.*^pages +ok \d+ pages read$/ms);
    expect(whole.stdout).toMatch(/^backups +ok No backups are scheduled\.$/m);
    await place.remove();
  });
});
