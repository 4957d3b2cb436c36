import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

export interface Certificate extends AsyncDisposable {
  /** PEM. */
  readonly key: string;
  readonly cert: string;
  readonly keyFile: string;
  readonly certFile: string;
}

const run = promisify(execFile);

/** Creates a self-signed certificate for 127.0.0.1 with OpenSSL. */
export async function makeCertificate(): Promise<Certificate> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'mneme-certificate-'));
  const keyFile = path.join(folder, 'key.pem');
  const certFile = path.join(folder, 'cert.pem');
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const files = ['-keyout', keyFile, '-out', certFile];
  await run('openssl', ['req', '-x509', '-days', '2', ...kind, ...subject, ...files]);
  return {
    key: await readFile(keyFile, 'utf8'),
    cert: await readFile(certFile, 'utf8'),
    keyFile,
    certFile,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
