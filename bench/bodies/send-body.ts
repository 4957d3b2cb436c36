/** Sends one of the worst bodies, from a process of its own: node send.ts URL KEY NAME SESSION. */
import { once } from 'node:events';
import { request } from 'node:http';
import { type WorstBodyName, worstBodies } from './worst-bodies.ts';

const [url = '', key = '', name = '', session = ''] = process.argv.slice(2);
const { path, pieces } = worstBodies[name as WorstBodyName];
const sending = request(`${url}/v1${path.replace('SESSION', session)}`, {
  method: 'POST',
  headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
});
// A body that is refused before its end ends its connection.
sending.on('error', () => undefined);
const answered = once(sending, 'response');
for (const piece of pieces()) {
  if (sending.destroyed) break;
  if (!sending.write(piece)) await Promise.race([once(sending, 'drain'), answered]);
}
sending.end();
const [response] = await answered;
response.resume();
await once(response, 'end').catch(() => undefined);
process.stdout.write(String(response.statusCode));
process.exit();
