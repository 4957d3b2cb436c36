import type { Environment } from './settings.ts';

/** Variables for finding files, downloading models and using the cores of the machine. */
const inheritedNames = [
  ...['PATH', 'HOME', 'TMPDIR', 'LANG', 'LC_ALL', 'TZ', 'LD_LIBRARY_PATH', 'OMP_NUM_THREADS'],
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_USE_ENV_PROXY'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'],
  // For downloads of models from Hugging Face.
  ...['HF_TOKEN', 'HF_ACCESS_TOKEN'],
  // Required on Windows.
  ...['SystemRoot', 'SYSTEMROOT', 'TEMP', 'TMP', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA'],
];

/**
 * The environment of model processes. It is an allowlist, because other variables contain keys of
 * the service, of its database and of other programs.
 */
export const modelProcessEnv = (env: Environment): Readonly<Record<string, string>> =>
  Object.fromEntries(
    inheritedNames.flatMap((name) => {
      const text = env[name];
      return text === undefined ? [] : [[name, text]];
    }),
  );
