import { eventually } from '../../support/eventually.ts';
import { type engines, type Service, startService } from '../../support/service.ts';
import { type SpeechEndpoint, startSpeechEndpoint } from '../../support/speech-endpoint.ts';
import { type Asked, ask, formOf, json, type Told, upload } from './asking.ts';

/** A service that has recordings transcribed by an endpoint, which says what a test has written. */
export interface HearingService extends AsyncDisposable {
  readonly endpoint: SpeechEndpoint;
  readonly service: Service;
  account(): Promise<Asked & Awaited<ReturnType<Service['account']>>>;
}

export async function startHearingService(
  engine: (typeof engines)[number],
  env: Record<string, string> = {},
): Promise<HearingService> {
  const endpoint = await startSpeechEndpoint();
  const speech = { MNEME_TRANSCRIPTION_URL: endpoint.url, MNEME_TRANSCRIPTION_MODEL: 'hears-1' };
  const service = await startService(engine, { env: { ...speech, ...env } });
  return {
    endpoint,
    service,
    account: async () => ({ ...(await service.account()), url: service.url }),
    async [Symbol.asyncDispose]() {
      await service.stop();
      await endpoint[Symbol.asyncDispose]();
    },
  };
}

/** The id of the memory that a file has become. */
export async function uploaded(
  asked: Asked,
  bytes: Uint8Array,
  fields: Record<string, string> = {},
): Promise<string> {
  const told = await upload(asked, formOf(bytes, fields));
  if (told.status !== 201) throw new Error(told.bytes.toString('utf8'));
  return json(told).id;
}

/** Work of a job, on a machine that has others. */
export const patienceMs = 60_000;

/** What an address answers once it is no longer 202. */
export const made = (asked: Asked, path: string): Promise<Told> =>
  eventually(
    () => ask(asked, path),
    ({ status }) => status !== 202,
    patienceMs,
  );
