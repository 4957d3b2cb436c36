import type { Environment } from './settings.ts';

/** What a program needs to find its files, to download a model, and to use the machine's cores. */
const inheritedNames = [
  ...['PATH', 'HOME', 'TMPDIR', 'LANG', 'LC_ALL', 'TZ', 'LD_LIBRARY_PATH', 'OMP_NUM_THREADS'],
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_USE_ENV_PROXY'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'],
  // Of the hub that models are downloaded from.
  ...['HF_TOKEN', 'HF_ACCESS_TOKEN'],
  // Without these nothing runs on Windows.
  ...['SystemRoot', 'SYSTEMROOT', 'TEMP', 'TMP', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA'],
];

/**
 * The part of the service's environment that its model processes receive. A list of what is
 * allowed: the rest holds the keys of the service, of its database and of other programs.
 */
export const modelProcessEnv = (env: Environment): Readonly<Record<string, string>> =>
  Object.fromEntries(
    inheritedNames.flatMap((name) => {
      const text = env[name];
      return text === undefined ? [] : [[name, text]];
    }),
  );
