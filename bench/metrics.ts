import type { ServerTarget } from './api-client.ts';

/** The samples of a metric by their labels, as `{consumer="extraction"}`; '' without labels. */
export async function readMetric(
  { url, apiKey }: ServerTarget,
  name: string,
): Promise<ReadonlyMap<string, number>> {
  const response = await fetch(`${url}/metrics`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  const text = await response.text();
  const samples = [...text.matchAll(new RegExp(`^${name}(\\{[^}]*\\})? (\\S+)$`, 'gm'))];
  if (samples.length === 0) throw new Error(`no ${name}: ${response.status}`);
  return new Map(samples.map(([, labels = '', value]) => [labels, Number(value)]));
}
