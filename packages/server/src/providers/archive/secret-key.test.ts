import { readFile } from 'node:fs/promises';
import { armor, Decrypter, Encrypter, generateIdentity, identityToRecipient } from 'age-encryption';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { createIds } from '../../kernel/ids.ts';
import { decryptServerSecretKey, encryptServerSecretKey, WrongPassphrase } from './index.ts';

const ids = createIds(systemClock);
const passphrase = 'correct horse battery staple ü';
const key = 'a secret key of the installation';

describe('an encrypted secret key', () => {
  it('is decrypted only by its passphrase', async () => {
    const sealed = await encryptServerSecretKey(key, passphrase, ids);
    expect(Buffer.from(sealed).toString()).toMatch(/^-----BEGIN AGE ENCRYPTED FILE-----\n/);
    expect(Buffer.from(sealed).includes(key)).toBe(false);
    expect(await decryptServerSecretKey(sealed, passphrase)).toBe(key);
    await expect(decryptServerSecretKey(sealed, `${passphrase} `)).rejects.toThrow(WrongPassphrase);
    await expect(decryptServerSecretKey(sealed, '')).rejects.toThrow(WrongPassphrase);
  });

  it('is a file that age can read', async () => {
    const sealed = await encryptServerSecretKey(key, passphrase, ids);
    const decrypter = new Decrypter();
    decrypter.addPassphrase(passphrase);
    const binary = armor.decode(Buffer.from(sealed).toString());
    expect(await decrypter.decrypt(binary, 'text')).toBe(key);
  });

  it('can be created by the age command, armored or binary', async () => {
    const armored = await readFile(new URL('fixtures/made-by-age.age', import.meta.url));
    expect(await decryptServerSecretKey(armored, passphrase)).toBe(key);
    const binary = armor.decode(armored.toString());
    expect(await decryptServerSecretKey(binary, passphrase)).toBe(key);
  });

  it('that is damaged, or not encrypted for a passphrase, is rejected', async () => {
    const sealed = Buffer.from(await encryptServerSecretKey(key, passphrase, ids)).toString();
    const binary = armor.decode(sealed);
    const header = Buffer.from(binary).toString('latin1');
    const toKey = new Encrypter();
    toKey.addRecipient(await identityToRecipient(await generateIdentity()));
    const damaged: Uint8Array[] = [
      Buffer.from('hello'),
      Buffer.from(sealed.replace('-----END', '----END')),
      binary.subarray(0, -1),
      Buffer.from(header.replace(/scrypt (\S+) 16/, 'scrypt $1 30'), 'latin1'),
      Buffer.from(header.replace(/scrypt \S+ 16/, 'scrypt AAAA 16'), 'latin1'),
      await toKey.encrypt(key),
    ];
    for (const bytes of damaged) {
      const refusal = { reason: 'corrupted', entry: 'secret-key.age' };
      await expect(decryptServerSecretKey(bytes, passphrase)).rejects.toMatchObject(refusal);
    }
  });

  it('needs a passphrase', async () => {
    await expect(encryptServerSecretKey(key, '', ids)).rejects.toThrow('the passphrase is empty');
  });
});
