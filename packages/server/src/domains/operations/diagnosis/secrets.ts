import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../../../kernel/config.ts';
import type { CheckResult, Problem } from './report.ts';

/** Created by the service, accessible only to its own user. */
const serviceFile = /^(?:secret-key|admin-key(?:\..+)?)$/;
const groupAndOthers = 0o077;
const others = 0o007;

/** Files with keys that other users of the machine can read. */
export async function checkSecrets({ dataDir, email }: Config): Promise<CheckResult> {
  // Windows has no such permissions.
  if (process.getuid === undefined) return {};
  const names = (await readdir(dataDir).catch(() => [])).filter((name) => serviceFile.test(name));
  const files = [
    ...names.map((name) => ({ file: path.join(dataDir, name), forbiddenBits: groupAndOthers })),
    // Administrators may grant a group access to these on purpose.
    ...[email.smtp?.tls?.key, email.dkim?.keyFile]
      .filter((file) => file !== undefined)
      .map((file) => ({ file, forbiddenBits: others })),
  ];
  const problems: Problem[] = [];
  for (const { file, forbiddenBits } of files) {
    const mode = await stat(file).then(
      (stats) => stats.mode,
      () => 0,
    );
    if ((mode & forbiddenBits) === 0) continue;
    problems.push({
      kind: 'readable_secret',
      severity: 'error',
      message: `Other users of this machine can read ${file} (mode ${(mode & 0o777).toString(8)}).`,
      action: `Run: chmod 600 '${file}'. Replace the key if others may have read it.`,
    });
  }
  return { problems };
}
