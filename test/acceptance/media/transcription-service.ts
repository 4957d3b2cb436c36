import { eventually } from '../../support/eventually.ts';
import { type engines, type Service, startService } from '../../support/service.ts';
import { type SpeechEndpoint, startSpeechEndpoint } from '../../support/speech-endpoint.ts';
import {
  type ApiCredentials,
  createForm,
  type HttpResult,
  parseJson,
  sendRequest,
  uploadForm,
} from './http-requests.ts';

/** A service that has recordings transcribed by an endpoint, which says what a test has written. */
export interface TranscriptionService extends AsyncDisposable {
  readonly endpoint: SpeechEndpoint;
  readonly service: Service;
  account(): Promise<ApiCredentials & Awaited<ReturnType<Service['createAccount']>>>;
}

export async function startTranscriptionService(
  engine: (typeof engines)[number],
  env: Record<string, string> = {},
): Promise<TranscriptionService> {
  const endpoint = await startSpeechEndpoint();
  const speech = { MNEME_TRANSCRIPTION_URL: endpoint.url, MNEME_TRANSCRIPTION_MODEL: 'hears-1' };
  const service = await startService(engine, { env: { ...speech, ...env } });
  return {
    endpoint,
    service,
    account: async () => ({ ...(await service.createAccount()), url: service.url }),
    async [Symbol.asyncDispose]() {
      await service.stop();
      await endpoint[Symbol.asyncDispose]();
    },
  };
}

/** The id of the memory that a file has become. */
export async function uploadRecording(
  asked: ApiCredentials,
  bytes: Uint8Array,
  fields: Record<string, string> = {},
): Promise<string> {
  const told = await uploadForm(asked, createForm(bytes, fields));
  if (told.status !== 201) throw new Error(told.bytes.toString('utf8'));
  return parseJson(told).id;
}

/** Work of a job, on a machine that has others. */
export const jobTimeoutMs = 60_000;

/** What an address answers once it is no longer 202. */
export const waitForResult = (asked: ApiCredentials, path: string): Promise<HttpResult> =>
  eventually(
    () => sendRequest(asked, path),
    ({ status }) => status !== 202,
    jobTimeoutMs,
  );
