import { rm } from 'node:fs/promises';
import path from 'node:path';
import {
  getOrCreateInstanceSetting,
  readInstanceSetting,
  updateInstanceSetting,
} from '../../instance/instance-settings.ts';
import { ConfigError } from '../../kernel/config.ts';
import { deriveKey } from '../../kernel/encryption.ts';
import { readFileIfExists, readOrCreatePrivateFile } from '../../kernel/private-file.ts';
import { validateSecret } from '../../kernel/settings.ts';
import type { App } from '../ctx.ts';

type Deps = Pick<App, 'config' | 'ids' | 'engine' | 'log'>;

const checkName = 'secret_key_check';

/** The configured secret key differs from the one that encrypts the database's secrets. */
export class SecretKeyMismatch extends Error {
  override readonly name = 'SecretKeyMismatch';

  constructor(found: string) {
    super(
      `${found}, but the secrets in the database are encrypted with another key: restore the ` +
        'file secret-key of the data folder that the database was first started with, or set ' +
        'MNEME_SECRET_KEY to its content, in every process of the database. If that key is ' +
        'lost, start once with MNEME_ALLOW_OTHER_SECRET_KEY=true: webhook secrets must then be ' +
        'set again, and session tokens and signed links become invalid.',
    );
  }
}

/** Derived from the secret key to detect another key, without revealing it. */
const deriveKeyCheck = (secretKey: string): string =>
  Buffer.from(deriveKey(secretKey, 'check')).toString('base64');

/**
 * Returns the secret key from the setting or the data folder, or creates it there for a database
 * that has none yet. The database stores a check value of its first key. Throws SecretKeyMismatch
 * for another key, ConfigError if the file contains no valid secret.
 */
export async function loadOrCreateSecretKey(deps: Deps): Promise<string> {
  const { config, engine } = deps;
  const file = path.join(config.dataDir, 'secret-key');
  const existing = config.secretKey ?? (await readSecret(file));
  if (existing !== null) {
    const source = config.secretKey === null ? file : 'MNEME_SECRET_KEY';
    await requireMatchingKeyCheck(deps, existing, `The secret key in ${source} is a different one`);
    return existing;
  }
  const isKnown = (await readInstanceSetting(engine.db, checkName)) !== null;
  if (isKnown && !config.allowOtherSecretKey) throw new SecretKeyMismatch(`${file} is missing`);
  return makeSecretKey(deps, file);
}

async function makeSecretKey(deps: Deps, file: string): Promise<string> {
  const generated = Buffer.from(deps.ids.bytes(32)).toString('base64');
  const stored = (await readOrCreatePrivateFile(file, `${generated}\n`)).trim();
  try {
    await requireMatchingKeyCheck(
      deps,
      stored,
      'Another process set the secret key of the database just now',
    );
  } catch (error) {
    // If two first starts use different folders, the later one must not keep an unusable key.
    if (stored === generated && error instanceof SecretKeyMismatch) await rm(file, { force: true });
    throw error;
  }
  return stored;
}

async function readSecret(file: string): Promise<string | null> {
  const text = await readFileIfExists(file);
  const problem = text === null ? null : validateSecret(text.trim());
  if (problem === null) return text === null ? null : text.trim();
  throw new ConfigError([`${file} ${problem}: restore the original file from a backup`]);
}

async function requireMatchingKeyCheck(
  { config, engine, log }: Deps,
  secretKey: string,
  found: string,
): Promise<void> {
  const check = deriveKeyCheck(secretKey);
  if ((await getOrCreateInstanceSetting(engine.db, checkName, check)) === check) return;
  if (!config.allowOtherSecretKey) throw new SecretKeyMismatch(found);
  await updateInstanceSetting(engine.db, checkName, check);
  log.warn(
    'secret key of the database replaced: remove MNEME_ALLOW_OTHER_SECRET_KEY, and set the ' +
      'webhook secrets again',
  );
}
