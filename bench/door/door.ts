import type { Options, Say } from '../options.ts';
import type { Window } from '../profiled.ts';
import type { ServerName } from '../servers.ts';
import { openInside } from './inside.ts';
import { measureRefusals } from './refusals.ts';
import { type DoorFigures, doorTable, doorVerdicts } from './report.ts';
import { type Caller, callers, measureVisits, quickVisits, wholeVisits } from './visits.ts';

const wholePairs = 5_000;
const quickPairs = 500;

/** What authentication and limits cost a request, and whether a refusal tells by its time. */
export async function runDoor(options: Options, say: Say): Promise<Window[]> {
  say('\nThe door, in the process: authenticate, admit, release');
  const all = [await measure('embedded', null, callers, options)];
  if (options.databaseUrl) {
    all.push(await measure('PostgreSQL', options.databaseUrl, ['pro key'], options));
  }
  say(`\n${doorTable(all)}\n\n${all.map(doorVerdicts).join('\n')}`);
  return [];
}

async function measure(
  server: ServerName,
  databaseUrl: string | null,
  callers: readonly Caller[],
  { quick }: Options,
): Promise<DoorFigures> {
  await using inside = await openInside(databaseUrl);
  const visits = await measureVisits(inside, callers, quick ? quickVisits : wholeVisits);
  const refusals = await measureRefusals(inside, quick ? quickPairs : wholePairs);
  return { server, visits, refusals };
}
