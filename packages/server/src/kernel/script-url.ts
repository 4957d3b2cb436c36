/** The URL of a script: TypeScript in the repository, JavaScript in a build. */
export function resolveScriptUrl(script: URL): URL {
  return import.meta.url.endsWith('.ts') ? script : new URL(script.href.replace(/\.ts$/, '.js'));
}
