import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../../../kernel/config.ts';
import type { CheckResult, Problem } from './report.ts';

/** Made by the service with rights for its own user alone. */
const own = /^(?:secret-key|admin-key(?:\..+)?)$/;
const groupAndOthers = 0o077;
const others = 0o007;

/** Files with keys that other users of the machine can read. */
export async function checkSecrets({ dataDir, email }: Config): Promise<CheckResult> {
  // Windows has no such rights.
  if (process.getuid === undefined) return {};
  const names = (await readdir(dataDir).catch(() => [])).filter((name) => own.test(name));
  const files = [
    ...names.map((name) => ({ file: path.join(dataDir, name), wrong: groupAndOthers })),
    // An administrator may have given these to a group on purpose.
    ...[email.smtp?.tls?.key, email.dkim?.keyFile]
      .filter((file) => file !== undefined)
      .map((file) => ({ file, wrong: others })),
  ];
  const problems: Problem[] = [];
  for (const { file, wrong } of files) {
    const mode = await stat(file).then(
      (found) => found.mode,
      () => 0,
    );
    if ((mode & wrong) === 0) continue;
    problems.push({
      kind: 'readable_secret',
      severity: 'error',
      message: `Other users of this machine can read ${file} (mode ${(mode & 0o777).toString(8)}).`,
      action: `Run: chmod 600 '${file}'. Replace the key if others may have read it.`,
    });
  }
  return { problems };
}
