/**
 * Turns the section of what is unreleased into the section of a version, and starts an empty one.
 * Throws if there is nothing to release, or if the version has a section already.
 *
 * @param date as YYYY-MM-DD
 */
export function releaseChangelog(text: string, version: string, date: string): string {
  const heading = '## [Unreleased]\n';
  const start = text.indexOf(heading);
  if (start < 0) throw new Error(`CHANGELOG.md has no line "${heading.trim()}".`);
  if (text.includes(`## [${version}]`)) {
    throw new Error(`CHANGELOG.md has a section for ${version} already.`);
  }
  const end = text.indexOf('\n## [', start + heading.length);
  const changes = text.slice(start + heading.length, end < 0 ? undefined : end).trim();
  if (changes === '') throw new Error('CHANGELOG.md lists no changes since the last release.');
  const rest = end < 0 ? '' : text.slice(end);
  return `${text.slice(0, start)}${heading}\n## [${version}] - ${date}\n\n${changes}\n${rest}`;
}
