/** A package.json, as far as packages here use it. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

export interface PublishedManifestOptions {
  /** Field `repository` of the root package; none where it has none. */
  readonly repository?: { readonly type: string; readonly url: string } | undefined;
  /** The folder of the package in the repository. */
  readonly directory: string;
  /** Contained in the bundle, so that they are not installed. */
  readonly bundled?: readonly string[];
}

/**
 * The package.json of a package as it is published: exports name the built files instead of the
 * sources, and packages of this repository are required in exactly this version.
 */
export function publishedManifest(source: Manifest, options: PublishedManifestOptions): Manifest {
  const {
    private: _,
    exports: sourceExports,
    bin,
    dependencies,
    peerDependencies,
    ...kept
  } = source;
  const entries = Object.entries(sourceExports ?? {}).map(([name, path]) => {
    const built = path.replace('./src/', './dist/').replace(/\.ts$/, '');
    return [name, { types: `${built}.d.ts`, default: `${built}.js` }];
  });
  const { repository, directory, bundled = [] } = options;
  const required = pinOwn(dependencies, source.version, bundled);
  const peers = pinOwn(peerDependencies, source.version, bundled);
  return {
    ...kept,
    ...(repository ? { repository: { ...repository, directory } } : {}),
    files: ['dist', ...(source.man === undefined ? [] : ['man'])],
    ...(bin ? { bin: builtPrograms(bin) } : {}),
    ...(entries.length > 0
      ? { exports: { ...Object.fromEntries(entries), './package.json': './package.json' } }
      : {}),
    ...(Object.keys(required).length > 0 ? { dependencies: required } : {}),
    ...(Object.keys(peers).length > 0 ? { peerDependencies: peers } : {}),
    publishConfig: { access: 'public' },
  };
}

const builtPrograms = (bin: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.keys(bin).map((name) => [name, `dist/${name}.js`]));

const pinOwn = (
  dependencies: Readonly<Record<string, string>> | undefined,
  version: string,
  bundled: readonly string[],
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(dependencies ?? {})
      .filter(([name]) => !bundled.includes(name))
      .map(([name, range]) => [name, name.startsWith('@mneme/') ? version : range]),
  );
