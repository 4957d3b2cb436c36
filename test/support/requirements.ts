import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * Requirements of some tests in addition to git and Node.js. Tests call `isAvailable`, and each run
 * ends with a line that lists missing requirements; see skipped-tests-reporter.ts.
 */
export interface Requirement {
  readonly name: string;
  /** How to meet the requirement. */
  readonly remedy: string;
  readonly projects: readonly Project[];
  readonly isMet: () => boolean;
}

type Project = 'unit' | 'api' | 'slow' | 'long';

/** Searches only PATH, so that a shorter PATH simulates a machine with fewer programs. */
export function programPath(name: string): string | null {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const candidates = folders
    .filter((folder) => folder !== '')
    .map((folder) => path.join(folder, name));
  return candidates.find((candidate) => existsSync(candidate)) ?? null;
}

const hasPrograms = (...names: readonly string[]): boolean =>
  names.every((name) => programPath(name) !== null);

const succeeds = (command: string, ...parameters: readonly string[]): boolean =>
  spawnSync(command, parameters, { stdio: 'ignore' }).status === 0;

/** Tries to mount, since a container may deny it even to root. */
function canMount(): boolean {
  const folder = mkdtempSync(path.join(tmpdir(), 'mneme-mount-'));
  try {
    if (!succeeds('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder)) return false;
    return succeeds('umount', '-l', folder);
  } finally {
    rmdirSync(folder);
  }
}

/** The command that starts the server as another user. */
export const asUnprivilegedUser = [
  'setpriv',
  '--reuid=65534',
  '--regid=65534',
  '--clear-groups',
] as const;

/** Test data for the packed vectors, stored outside the repository. */
export const sharedParaphrases = new URL(
  '../../../shared/data/vectors/paraphrases.json',
  import.meta.url,
);

/** A recording of a human voice and a program that transcribes it, from pocketsphinx. */
export const pocketsphinx = {
  recording: '/usr/share/pocketsphinx/test/data/goforward.raw',
  program: 'pocketsphinx_continuous',
};

/**
 * A Python with what its client needs to be built, installed and tested. The `python3` of PATH can
 * be another one than that of Debian's packages.
 */
export function pythonForClient(...modules: readonly string[]): string | null {
  const needed = ['httpx', 'pytest', 'venv', 'pip', 'hatchling', ...modules];
  const candidates = ['python3', '/usr/bin/python3'];
  return candidates.find((python) => succeeds(python, '-c', `import ${needed.join(',')}`)) ?? null;
}

const requirements = {
  postgresql: {
    name: 'PostgreSQL',
    remedy: 'set MNEME_TEST_DATABASE_URL',
    projects: ['api', 'slow', 'long'],
    isMet: () => Boolean(process.env.MNEME_TEST_DATABASE_URL),
  },
  ffmpeg: {
    name: 'recordings',
    remedy: 'install ffmpeg',
    projects: ['slow', 'long'],
    isMet: () => succeeds('ffmpeg', '-version') && succeeds('ffprobe', '-version'),
  },
  pocketsphinx: {
    name: 'a human voice',
    remedy: 'install pocketsphinx pocketsphinx-en-us pocketsphinx-testdata',
    projects: ['slow'],
    isMet: () => hasPrograms(pocketsphinx.program) && existsSync(pocketsphinx.recording),
  },
  chromium: {
    name: 'a browser',
    remedy: 'install chromium',
    projects: ['slow'],
    isMet: () => hasPrograms('chromium'),
  },
  python: {
    name: 'Python clients',
    remedy: 'install python3',
    projects: ['api', 'slow'],
    isMet: () => succeeds('python3', '--version'),
  },
  registry: {
    name: 'packages as they are installed',
    remedy: 'connect to the package registry',
    projects: ['slow'],
    isMet: () => succeeds('npm', 'view', 'node@24', 'version'),
  },
  pythonClient: {
    name: 'the client for Python',
    remedy: 'install python3-httpx python3-pytest python3-venv python3-pip python3-hatchling',
    projects: ['slow'],
    isMet: () => pythonForClient() !== null,
  },
  mypy: {
    name: 'types of the client for Python',
    remedy: 'install mypy',
    projects: ['slow'],
    isMet: () => pythonForClient('mypy') !== null,
  },
  curl: {
    name: 'shell commands of the documents',
    remedy: 'install curl and jq',
    projects: ['slow'],
    isMet: () => hasPrograms('curl', 'jq'),
  },
  openssl: {
    name: 'encrypted mail and documents of OAuth clients',
    remedy: 'install openssl',
    projects: ['api', 'slow'],
    isMet: () => hasPrograms('openssl'),
  },
  prometheus: {
    name: 'dashboards and alert rules in Prometheus',
    remedy: 'install prometheus',
    projects: ['slow'],
    isMet: () => hasPrograms('prometheus', 'promtool'),
  },
  strace: {
    name: 'the order of fsync and answers',
    remedy: 'install strace and permit ptrace',
    projects: ['slow'],
    isMet: () => succeeds('strace', '-f', '-o', '/dev/null', 'true'),
  },
  debianRoot: {
    name: 'the image in a Debian root',
    remedy: 'install debootstrap, run as root and connect to the package registries',
    projects: ['long'],
    isMet: () => hasPrograms('debootstrap', 'unshare', 'chroot') && canMount(),
  },
  mount: {
    name: 'full disks',
    remedy: 'run as root with the right to mount',
    projects: ['unit', 'slow'],
    isMet: canMount,
  },
  anotherUser: {
    name: "another user's folder",
    remedy: 'run as root with setpriv',
    projects: ['slow'],
    isMet: () =>
      succeeds(asUnprivilegedUser[0], ...asUnprivilegedUser.slice(1), process.execPath, '-v'),
  },
  shells: {
    name: 'completion in zsh and fish',
    remedy: 'install zsh and fish',
    projects: ['unit'],
    isMet: () => hasPrograms('zsh', 'fish'),
  },
  prlimit: {
    name: 'limits of processes',
    remedy: 'install util-linux',
    projects: ['unit', 'api'],
    isMet: () => existsSync('/usr/bin/prlimit'),
  },
  terminal: {
    name: 'a terminal',
    remedy: 'install bsdutils on Linux',
    projects: ['slow'],
    isMet: () => succeeds('script', '-qfec', 'true', '/dev/null'),
  },
  processFiles: {
    name: 'measurements of processes',
    remedy: 'run on Linux',
    projects: ['unit', 'slow', 'long'],
    isMet: () => existsSync('/proc/self/stat'),
  },
  paraphrases: {
    name: 'paraphrases written by others',
    remedy: 'put shared/data/vectors/paraphrases.json next to the repository',
    projects: ['unit'],
    isMet: () => existsSync(sharedParaphrases),
  },
  textReader: {
    name: 'text in frames',
    remedy: 'npm install --no-save @gutenye/ocr-node',
    projects: ['long'],
    isMet: () => existsSync(new URL('../../node_modules/@gutenye/ocr-node', import.meta.url)),
  },
  citus: {
    name: 'distributed databases',
    remedy: 'CONTRIBUTING.md says how to run tests on Citus',
    projects: ['api'],
    isMet: () => process.env.MNEME_TEST_ONLY_ENGINE === 'Citus',
  },
  valuesInPlans: {
    name: 'plans that depend on values',
    remedy: 'Citus explains statements without the values of their parameters',
    projects: ['api'],
    isMet: () => process.env.MNEME_TEST_ONLY_ENGINE !== 'Citus',
  },
  ownPostgres: {
    name: 'kills of PostgreSQL',
    remedy: 'set MNEME_TEST_POSTGRES_DIR',
    projects: ['long'],
    isMet: () => Boolean(process.env.MNEME_TEST_POSTGRES_DIR),
  },
  ownCitus: {
    name: 'failover of a coordinator',
    remedy: 'set MNEME_TEST_CITUS_DIR',
    projects: ['long'],
    isMet: () => Boolean(process.env.MNEME_TEST_CITUS_DIR),
  },
} satisfies Record<string, Requirement>;

export const allRequirements: readonly Requirement[] = Object.values(requirements);

const known = new Map<string, boolean>();

/** Determined once per process. */
export function isAvailable(name: keyof typeof requirements): boolean {
  const isMet = known.get(name) ?? requirements[name].isMet();
  known.set(name, isMet);
  return isMet;
}
