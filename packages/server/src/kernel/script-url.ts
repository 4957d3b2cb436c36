/** The URL of a script as it is run: TypeScript in the repository, JavaScript when built. */
export function resolveScriptUrl(script: URL): URL {
  return import.meta.url.endsWith('.ts') ? script : new URL(script.href.replace(/\.ts$/, '.js'));
}
