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

/** A service with a fake transcription endpoint with scripted replies. */
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

/** The id of the memory of an uploaded file. */
export async function uploadRecording(
  credentials: ApiCredentials,
  bytes: Uint8Array,
  fields: Record<string, string> = {},
): Promise<string> {
  const response = await uploadForm(credentials, createForm(bytes, fields));
  if (response.status !== 201) throw new Error(response.bytes.toString('utf8'));
  return parseJson(response).id;
}

/** The timeout of a job on a busy machine. */
export const jobTimeoutMs = 60_000;

/** Polls a URL until its status is not 202. */
export const waitForResult = (credentials: ApiCredentials, path: string): Promise<HttpResult> =>
  eventually(
    () => sendRequest(credentials, path),
    ({ status }) => status !== 202,
    jobTimeoutMs,
  );
