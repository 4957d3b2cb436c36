import type { BenchmarkOptions, Print } from '../options.ts';
import type { ProfileWindow } from '../profile-windows.ts';
import type { ServerName } from '../servers.ts';
import {
  type CallerKind,
  callerKinds,
  fullWorkload,
  measureAdmissions,
  quickWorkload,
} from './admissions.ts';
import { startInProcessService } from './in-process-service.ts';
import { measureRejections } from './rejections.ts';
import {
  type AuthenticationFigures,
  authenticationTable,
  authenticationVerdicts,
} from './report.ts';

const fullPairs = 5_000;
const quickPairs = 500;

/** What authentication and limits cost a request, and whether a refusal tells by its time. */
export async function runAuthentication(
  options: BenchmarkOptions,
  say: Print,
): Promise<ProfileWindow[]> {
  say('\nThe door, in the process: authenticate, admit, release');
  const all = [await measure('embedded', null, callerKinds, options)];
  if (options.databaseUrl) {
    all.push(await measure('PostgreSQL', options.databaseUrl, ['pro key'], options));
  }
  say(`\n${authenticationTable(all)}\n\n${all.map(authenticationVerdicts).join('\n')}`);
  return [];
}

async function measure(
  server: ServerName,
  databaseUrl: string | null,
  callers: readonly CallerKind[],
  { quick }: BenchmarkOptions,
): Promise<AuthenticationFigures> {
  await using inside = await startInProcessService(databaseUrl);
  const visits = await measureAdmissions(inside, callers, quick ? quickWorkload : fullWorkload);
  const refusals = await measureRejections(inside, quick ? quickPairs : fullPairs);
  return { server, admissions: visits, rejections: refusals };
}
