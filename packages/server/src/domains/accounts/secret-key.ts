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

type Parts = Pick<App, 'config' | 'ids' | 'engine' | 'log'>;

const checkName = 'secret_key_check';

/** The secret key is not the one that the database's secrets are encrypted with. */
export class SecretKeyMismatch extends Error {
  override readonly name = 'SecretKeyMismatch';

  constructor(found: string) {
    super(
      `${found}, but the database holds secrets that another key encrypts: restore the file ` +
        'secret-key of the data folder that the database was first started with, or set ' +
        'MNEME_SECRET_KEY to its content, in every process of the database. If that key is ' +
        'lost, start once with MNEME_ALLOW_OTHER_SECRET_KEY=true: secrets of webhooks have to be ' +
        'set again, and session tokens and signed links end.',
    );
  }
}

/** Derived from the secret key, so that another one shows, and telling nothing of it. */
const deriveKeyCheck = (secretKey: string): string =>
  Buffer.from(deriveKey(secretKey, 'check')).toString('base64');

/**
 * The secret key as configured, or as the data folder has it, or made in it for a database that
 * has seen none. The database keeps a check of its first key. Throws SecretKeyMismatch for another
 * one, ConfigError where the file holds no secret.
 */
export async function loadOrCreateSecretKey(parts: Parts): Promise<string> {
  const { config, engine } = parts;
  const file = path.join(config.dataDir, 'secret-key');
  const given = config.secretKey ?? (await readSecret(file));
  if (given !== null) {
    const source = config.secretKey === null ? file : 'MNEME_SECRET_KEY';
    await requireMatchingKeyCheck(parts, given, `The secret key in ${source} is a different one`);
    return given;
  }
  const isKnown = (await readInstanceSetting(engine.db, checkName)) !== null;
  if (isKnown && !config.allowOtherSecretKey) throw new SecretKeyMismatch(`${file} is missing`);
  return makeSecretKey(parts, file);
}

async function makeSecretKey(parts: Parts, file: string): Promise<string> {
  const own = Buffer.from(parts.ids.bytes(32)).toString('base64');
  const made = (await readOrCreatePrivateFile(file, `${own}\n`)).trim();
  try {
    await requireMatchingKeyCheck(
      parts,
      made,
      'Another process gave the database its secret key just now',
    );
  } catch (error) {
    // Of two first starts with folders of their own the later one must not keep a useless key.
    if (made === own && error instanceof SecretKeyMismatch) await rm(file, { force: true });
    throw error;
  }
  return made;
}

async function readSecret(file: string): Promise<string | null> {
  const text = await readFileIfExists(file);
  const wrong = text === null ? null : validateSecret(text.trim());
  if (wrong === null) return text === null ? null : text.trim();
  throw new ConfigError([`${file} ${wrong}: restore the first one from a backup`]);
}

async function requireMatchingKeyCheck(
  { config, engine, log }: Parts,
  secretKey: string,
  found: string,
): Promise<void> {
  const check = deriveKeyCheck(secretKey);
  if ((await getOrCreateInstanceSetting(engine.db, checkName, check)) === check) return;
  if (!config.allowOtherSecretKey) throw new SecretKeyMismatch(found);
  await updateInstanceSetting(engine.db, checkName, check);
  log.warn(
    'the database has a new secret key: remove MNEME_ALLOW_OTHER_SECRET_KEY, and set the ' +
      'secrets of webhooks again',
  );
}
