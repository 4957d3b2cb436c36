/** The URL of a script beside a module: TypeScript in the repository, JavaScript when built. */
export function besides(moduleUrl: string, name: string): URL {
  return new URL(`./${name}${moduleUrl.endsWith('.ts') ? '.ts' : '.js'}`, moduleUrl);
}
