/**
 * Runs the hurl files of a conformance suite for tus against a service of its own:
 *
 *     npm run conformance:tus <folder of sagikazarmark/tus-conformance-tests>
 *
 * Prints each case and a total. Exits with 1 where fewer pass than `passedMin`.
 */

import fs from 'node:fs/promises';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { tusVersion } from '@mneme/contract';
import { startService } from '../../test/support/service.ts';
import {
  findMismatches,
  type HurlEntry,
  type HurlResponse,
  parseHurl,
  substituteVariables,
} from './hurl.ts';

/** The others are listed with their reasons in packages/server/src/domains/media/README.md. */
const passedMin = 119;

/** Node's own client: fetch would send headers that the files do not have. */
const send = (
  { method, headers, body }: HurlEntry,
  url: string,
  variables: ReadonlyMap<string, string>,
): Promise<HurlResponse> =>
  new Promise((resolve, reject) => {
    const sent = Object.fromEntries(
      headers.map(([name, value]) => [name, substituteVariables(value, variables)]),
    );
    const options = {
      method,
      headers: {
        ...sent,
        authorization: `Bearer ${variables.get('key')}`,
        'content-length': Buffer.byteLength(body ?? ''),
      },
    };
    const request = http.request(url, options, (response) => {
      response.resume();
      response.once('end', () => {
        const told = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
        resolve({ status: response.statusCode ?? 0, headers: Object.fromEntries(told) });
      });
    });
    request.once('error', reject);
    request.end(body);
  });

/** Returns what is wrong, or null. */
async function run(text: string, given: ReadonlyMap<string, string>): Promise<string | null> {
  const variables = new Map(given);
  for (const [i, entry] of parseHurl(text).entries()) {
    const answer = await send(entry, substituteVariables(entry.url, variables), variables);
    const faults = findMismatches(entry, answer, variables);
    if (faults.length > 0) return `request ${i + 1}, ${entry.method}: ${faults.join('; ')}`;
    for (const [variable, header] of entry.captures) {
      variables.set(variable, answer.headers[header.toLowerCase()] ?? '');
    }
  }
  return null;
}

/** Addresses of uploads are absolute only where the service knows its own. */
const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

async function main(folder: string): Promise<void> {
  const files = (await fs.readdir(folder, { recursive: true }))
    .filter((file) => file.endsWith('.hurl'))
    .sort();
  const port = String(await freePort());
  const env = { MNEME_PORT: port, MNEME_PUBLIC_URL: `http://127.0.0.1:${port}` };
  const service = await startService('embedded', { env });
  let passed = 0;
  try {
    const keys = new Map<string, string>();
    for (const file of files) {
      // An account may have 100 uploads under way, and most cases leave theirs.
      const area = path.dirname(file);
      const key = keys.get(area) ?? (await service.createAccount()).key;
      keys.set(area, key);
      const variables = new Map([
        ['key', key],
        ['base_url', `${service.url}/v1/media/uploads`],
        ['tus_version', tusVersion],
      ]);
      const fault = await run(await fs.readFile(path.join(folder, file), 'utf8'), variables);
      if (fault === null) passed += 1;
      const name = path.basename(file, '.hurl');
      process.stdout.write(fault === null ? `passed ${name}\n` : `FAILED ${name}: ${fault}\n`);
    }
  } finally {
    await service.stop();
  }
  process.stdout.write(`${passed} of ${files.length} passed\n`);
  process.exitCode = passed < passedMin ? 1 : 0;
}

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder of the suite.');
await main(folder);
