import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { releaseChangelog } from './changelog.ts';
import { publishedManifest } from './published-manifest.ts';
import { releaseFiles } from './release.ts';
import { assertLaterVersion } from './versions.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

describe('the changelog of a release', () => {
  const text =
    '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- b\n\n## [0.1.0] - 2026-01-01\n\n- a\n';

  it('has the unreleased changes below the version, and an empty section above', () => {
    expect(releaseChangelog(text, '0.2.0', '2026-12-01')).toBe(
      '# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n\n### Added\n\n- b\n\n' +
        '## [0.1.0] - 2026-01-01\n\n- a\n',
    );
  });

  it('is refused without changes, for a released version, and without a section', () => {
    const empty = '## [Unreleased]\n\n## [0.1.0] - 2026-01-01\n';
    expect(() => releaseChangelog(empty, '0.2.0', '')).toThrow('lists no changes');
    expect(() => releaseChangelog(text, '0.1.0', '')).toThrow('0.1.0 already');
    expect(() => releaseChangelog('# Changelog\n', '0.2.0', '')).toThrow('has no line');
  });
});

describe('the version of a release', () => {
  it.each([
    ['0.1.0', '0.1.1'],
    ['0.9.0', '0.10.0'],
    ['1.0.0-beta.2', '1.0.0-beta.10'],
    ['1.0.0-beta.2', '1.0.0'],
  ])('can follow %s as %s', (current, next) => {
    expect(() => assertLaterVersion(current, next)).not.toThrow();
    expect(() => assertLaterVersion(next, current)).toThrow('is not later than');
  });

  it.each(['0.1.0', '1.0', 'v1.0.0', '1.0.0-', ''])('cannot be "%s" after 0.1.0', (next) => {
    expect(() => assertLaterVersion('0.1.0', next)).toThrow();
  });

  it('is the same in all packages and in the lock file', () => {
    const files = releaseFiles(root, { version: '99.0.0', date: '2026-12-01' });
    const manifests = [...files].filter(([file]) => file.endsWith('package.json'));
    expect(manifests.length).toBeGreaterThanOrEqual(6);
    for (const [, text] of manifests) {
      expect(text).toContain('"version": "99.0.0"');
      expect(text).not.toMatch(/"@mneme\/\w+": "(?!99\.0\.0")/);
    }
    const lock = JSON.parse(files.get('package-lock.json') ?? '{}');
    expect(lock.version).toBe('99.0.0');
    expect(lock.packages['packages/sdk'].version).toBe('99.0.0');
    expect(lock.packages['packages/cli'].dependencies['@mneme/sdk']).toBe('99.0.0');
    expect(lock.packages['node_modules/zod'].version).not.toBe('99.0.0');
  });
});

describe('a published package.json', () => {
  const source = {
    name: '@mneme/x',
    version: '1.2.3',
    private: true,
    bin: { x: 'bin/x.mjs' },
    exports: { '.': './src/index.ts', './sub': './src/folder/sub.ts' },
    dependencies: { '@mneme/sdk': '^1.0.0', zod: '^4.0.0', commander: '^14.0.0' },
  };

  it('names built files, exact own versions and the place of the source', () => {
    const repository = { type: 'git', url: 'git+https://example.com/mneme.git' };
    const manifest = publishedManifest(source, { repository, directory: 'packages/x' });
    expect(manifest).toMatchObject({
      repository: { ...repository, directory: 'packages/x' },
      files: ['dist'],
      bin: { x: 'dist/x.js' },
      exports: {
        '.': { types: './dist/index.d.ts', default: './dist/index.js' },
        './sub': { types: './dist/folder/sub.d.ts', default: './dist/folder/sub.js' },
      },
      dependencies: { '@mneme/sdk': '1.2.3', zod: '^4.0.0' },
    });
    expect(manifest).not.toHaveProperty('private');
  });

  it('requires nothing that its bundle contains', () => {
    const bundled = ['@mneme/sdk', 'zod', 'commander'];
    expect(publishedManifest(source, { directory: 'packages/x', bundled })).not.toHaveProperty(
      'dependencies',
    );
  });
});
