import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mailServiceOptions, smtpPortOf } from '../../support/mail.ts';
import { isAvailable } from '../../support/requirements.ts';
import { createDataLocation, startServerProcess } from '../../support/server-process.ts';
import { oneEngine, type Service, startService } from '../../support/service.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

interface Snippet {
  readonly file: string;
  readonly language: string;
  readonly code: string;
}

/** Every document but those that are themselves data, such as what the retrieval bench reads. */
const documents = [
  ...['.', 'docs', 'docs/decisions', 'docs/operate', 'bench'].flatMap(markdownIn),
  ...['sdk', 'cli', 'extraction', 'text'].flatMap((name) => markdownIn(`packages/${name}`)),
  ...readdirSync(path.join(root, 'packages/server/src/domains'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => markdownIn(`packages/server/src/domains/${name}`)),
];

function markdownIn(folder: string): string[] {
  return readdirSync(path.join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.posix.join(folder, name));
}

function snippetsOf(file: string): Snippet[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  return [...text.matchAll(/^```(sh|ts|js)\n(.*?)^```$/gms)].map(
    ([, language = '', code = '']) => ({ file, language, code }),
  );
}

/** What no test can run beside others, each by its beginning, and why. */
const leftOut: readonly (readonly [file: string, begins: string, reason: string])[] = [
  ['README.md', 'npm ci && npm start', 'installs; .ci/run and the start of each test do the same'],
  ['README.md', 'npm ci && npm test', 'runs the other tests'],
  ['docs/getting-started.md', 'npm run mneme -- doctor', 'replaces the key that others use'],
  ['docs/operate/back-up.md', 'export MNEME_BACKUP_PASSPHRASE', 'serves until it is stopped'],
  ['docs/operate/back-up.md', 'npm run mneme -- backup', 'writes here; the next ones do not'],
  ['docs/operate/back-up.md', 'mv data', 'moves the data away; acceptance/backup restores'],
  ['docs/operate/back-up.md', 'npm run --silent mneme -- backup', 'sends it to another machine'],
  ['docs/operate/erase-a-person.md', 'until', 'waits for a minute; acceptance/cli/verify runs it'],
  ['docs/operate/move.md', 'createdb', 'moves the data away; acceptance/backup moves'],
  ['docs/operations.md', 'npm run mneme -- keys reset-admin', 'replaces that key too'],
  ['docs/coding-agents.md', 'npm run mneme -- import', 'reads the transcripts of this machine'],
  ['docs/models.md', 'npm install', 'installs, and downloads from a hub'],
  ['docs/models.md', 'npm run mneme -- models install', 'copies a folder that is not here'],
  ['docs/models.md', 'export MNEME_EMBEDDING_URL', 'calls an endpoint elsewhere'],
  ['docs/models.md', 'npm run mneme -- models test', 'needs an installed model'],
  ['docs/models.md', 'npm run mneme -- models use', 'changes the model; acceptance/reembed does'],
  ['docs/models.md', 'npm run mneme -- models remove', 'needs an installed model'],
  ['docs/operate/capacity.md', 'npm run bench', 'takes minutes'],
  ['docs/operate/install.md', 'npm ci', 'installs; long/image does'],
  ['docs/operate/install.md', 'useradd', 'changes this machine'],
  ['docs/operate/install.md', 'systemctl', 'needs the installed service'],
  ['docs/operate/install.md', 'docker', 'needs Docker; long/image runs the steps of the image'],
  ['docs/operate/install.md', 'kubectl', 'needs Kubernetes'],
  ['docs/operate/install.md', 'export POSTGRES_PASSWORD', 'needs Docker'],
  ['docs/operate/scale.md', 'MNEME_METRICS_PORT', 'serves; acceptance/operations runs a worker'],
  ['docs/operate/monitoring.md', 'OTEL_', 'serves until it is stopped; acceptance/telemetry does'],
  ['CONTRIBUTING.md', 'npm ci', 'installs'],
  ['CONTRIBUTING.md', 'npm start ', 'serves until it is stopped'],
  ['CONTRIBUTING.md', 'npm test ', 'runs all tests'],
  ['CONTRIBUTING.md', 'MNEME_TEST_DATABASE_URL', 'runs all tests, this one among them'],
  ['CONTRIBUTING.md', 'MNEME_TEST_ROUNDS', 'kills and measures for an hour'],
  ['CONTRIBUTING.md', 'MNEME_TEST_SEED', 'runs properties for minutes'],
  ['CONTRIBUTING.md', 'npm run mutations', 'runs the tests for hours'],
  ['packages/extraction/README.md', 'npm run bench', 'measures for a minute'],
  ['packages/extraction/README.md', 'npm run train', 'writes the models'],
  ['bench/README.md', '', 'measures for minutes; the benches have tests of their own'],
];

const reasonFor = ({ file, code }: Snippet): string | undefined =>
  leftOut.find(([name, begins]) => name === file && code.startsWith(begins))?.[2];

const all = documents.flatMap(snippetsOf);
const shells = all
  .filter((one) => one.language === 'sh' && reasonFor(one) === undefined)
  .filter(({ code }) => isAvailable('ffmpeg') || !code.includes('ffmpeg '));
/** Hears the same in whatever it is given. */
const said = 'JSON.stringify([{start:1,end:3,text:"The importer is done."}])';
const listener = `"${process.execPath}" -p '${said}' {file}`;
/** Nobody hears anything in the tone of the walk-through, and the database is a fresh one. */
const walkThrough = shells.find(({ code }) => code.includes('ffmpeg '))?.code ?? '';
const walks = [
  { listens: 'nobody who listens', MNEME_TRANSCRIPTION_COMMAND: '', reason: 'MNEME_TRANSCRIPTION' },
  {
    listens: 'a program that is missing',
    MNEME_TRANSCRIPTION_COMMAND: 'no-such-program {file}',
    reason: 'no-such-program',
  },
].filter(() => walkThrough !== '');
const titled = (snippets: readonly Snippet[]) =>
  snippets.map((one) => [`${one.file}: ${one.code.split('\n', 1)[0]}`, one] as const);

/** TypeScript by file: a later block goes on where the one before it ended. */
const scripts = [...Map.groupBy(all, ({ file }) => file)].flatMap(([file, snippets]) => {
  const own = snippets.filter(({ language }) => language === 'ts' || language === 'js');
  return own.length > 0 ? [[file, own.map(({ code }) => runnable(code)).join('\n')] as const] : [];
});

/**
 * A reader's service is at the default URL, this one where it found room. A block that returns is
 * the inside of a reader's handler: it is called with a delivery that nobody has signed.
 */
function runnable(code: string): string {
  const here = code.replace(
    /createClient\(\{ apiKey: [^,}]+ \}\)/,
    'createClient({ url: process.env.MNEME_URL, apiKey: process.env.MNEME_API_KEY })',
  );
  if (!/\breturn\b/.test(here)) return here;
  const imports = [...here.matchAll(/^import .*;$/gm)].map(([line]) => line);
  return [
    ...imports,
    'async function handle(request, rawBody, secret) {',
    here.replaceAll(/^import .*;$/gm, ''),
    '}',
    "const refused = await handle(new Request('http://localhost'), '{}', 'x'.repeat(32));",
    'if (refused.status !== 400) throw new Error(refused.status);',
  ].join('\n');
}

const patienceMs = 45_000;
/** That of the documents. */
const passphrase = 'at least twelve characters';

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(command: string, args: readonly string[], env: Record<string, string>): Promise<Ran> {
  const { PATH, HOME } = process.env;
  const child = spawn(command, args, {
    cwd: root,
    env: { PATH, HOME, NO_COLOR: '1', ...env },
    // A group of its own, so that what takes too long ends with all that it has started.
    detached: true,
  });
  const patience = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), patienceMs);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(patience);
      resolve({ code, stdout, stderr });
    });
  });
}

/**
 * A shell in which a refusal fails, and `mneme` is the command of this repository. npm takes as
 * long to start as the command: one test calls it, and the others what its script names.
 */
const script = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).scripts.mneme;
const commands = `set -e
mneme() { ${script} "$@"; }
npm() {
  if [[ "$1 $2" != 'run mneme' && "$1 $2 $3" != 'run --silent mneme' ]]; then
    command npm "$@"
    return
  fi
  while [[ $1 != mneme ]]; do shift; done
  shift
  if [[ $1 == -- ]]; then shift; fi
  mneme "$@"
}
curl() { command curl --silent --show-error --fail-with-body "$@"; }
`;

describe.runIf(isAvailable('curl')).each(oneEngine)('the documents on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    const env = {
      ...mailServiceOptions.env,
      MNEME_TRANSCRIPTION_COMMAND: listener,
      MNEME_BACKUP_PASSPHRASE: passphrase,
    };
    service = await startService(engine, { ...mailServiceOptions, env });
    await service.client().memories.create({ body: { content: 'Ana prefers tea in general.' } });
  });
  afterAll(() => service.stop());
  const env = (): Record<string, string> => ({
    MNEME_URL: service.url,
    MNEME_API_KEY: service.adminKey,
    // The Node that runs this test, whatever npm would find.
    PATH: `${path.dirname(process.execPath)}:${process.env.PATH ?? ''}`,
  });

  it('have snippets, and leave out no more than is said', () => {
    expect(shells.length).toBeGreaterThan(3);
    expect(scripts.map(([file]) => file)).toEqual([
      'README.md',
      'docs/adapters.md',
      'docs/clusters.md',
      'docs/export.md',
      'docs/getting-started.md',
      'docs/knowledge.md',
      'docs/memories.md',
      'docs/relationships.md',
      'docs/sessions.md',
      'packages/sdk/README.md',
      'packages/extraction/README.md',
      'packages/text/README.md',
    ]);
    for (const [file, begins] of leftOut) {
      expect(all.some((one) => one.file === file && one.code.startsWith(begins))).toBe(true);
    }
  });

  it('npm runs the command', async () => {
    const ran = await run('npm', ['run', '--silent', 'mneme', '--', 'search', 'tea'], env());
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout).toContain('Ana prefers tea');
  });

  it.each(titled(shells))('%s runs as it stands', async (_title, { code }) => {
    const { id } = await service.createAccount();
    const here = code
      .replaceAll('<id>', id)
      .replaceAll('http://127.0.0.1:7077', service.url)
      .replaceAll('127.0.0.1:2525', `127.0.0.1:${smtpPortOf(service)}`);
    const ran = await run('bash', ['-c', commands + here], { ...env(), KEY: service.adminKey });
    expect(ran.code, ran.stderr).toBe(0);
  });

  it.each(scripts)('the TypeScript of %s runs, one block after the other', async (_file, code) => {
    const { key } = await service.createAccount();
    const args = ['--no-warnings', '--input-type=module-typescript', '-e', code];
    const ran = await run(process.execPath, args, { ...env(), MNEME_API_KEY: key });
    expect(ran.code, ran.stderr).toBe(0);
  });

  it.each(walks)('recordings are walked through with $listens, told why', async (walk) => {
    const { MNEME_TRANSCRIPTION_COMMAND, reason } = walk;
    const env = { ...(MNEME_TRANSCRIPTION_COMMAND && { MNEME_TRANSCRIPTION_COMMAND }) };
    const fresh = await startService(engine, { env });
    const code = walkThrough.replaceAll('http://127.0.0.1:7077', fresh.url);
    // Without the shell of the other tests: just as a reader's own.
    const ran = await run('bash', ['-c', code], { KEY: fresh.adminKey });
    await fresh.stop();
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout).toMatch(/^503\n\{/);
    expect(ran.stdout).toContain(reason);
  });

  it('the two commands that a first start prints store a memory and find it', async () => {
    const place = await createDataLocation(engine, { migrated: false });
    // As users start it: with the encoder.
    const env = { MNEME_EMBEDDING_PROVIDER: '' };
    await using started = await startServerProcess(place, { env });
    await started.waitForOutput(/fail to run\?'$/m);
    const printed = started.output().match(/^ {2}curl (?:.*\\\n)*.*$/gm) ?? [];
    expect(printed).toHaveLength(2);
    const stored = await run('bash', ['-c', printed[0] ?? ''], {});
    const found = await run('bash', ['-c', printed[1] ?? ''], {});
    const memory = JSON.parse(stored.stdout) as { id: string };
    const { results } = JSON.parse(found.stdout) as { results: { id: string }[] };
    expect(results.map(({ id }) => id)).toEqual([memory.id]);
    await started.kill('SIGTERM');
    await place.remove();
  });
});
