import type { Memory } from '@mneme/contract';

/** The service and the API key. */
export interface ApiCredentials {
  readonly url: string;
  readonly key: string;
}

export interface HttpResult {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

/** Sends one request with binary bodies. */
export async function sendRequest(
  { url, key }: ApiCredentials,
  path: string,
  init: RequestInit & { headers?: Record<string, string> } = {},
): Promise<HttpResult> {
  const tus = path.includes('/v1/media/uploads') ? { 'tus-resumable': '1.0.0' } : {};
  const headers = { authorization: `Bearer ${key}`, ...tus, ...init.headers };
  const response = await fetch(new URL(path, url), { ...init, headers });
  const { status } = response;
  return { status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** A form with fields and a file, in this order unless the file is first. */
export function createForm(
  file: Uint8Array | null,
  fields: Record<string, string> = {},
  { filename = 'file.bin', fileFirst = false } = {},
): FormData {
  const form = new FormData();
  const addFile = (): void => {
    if (file !== null) form.set('file', new Blob([new Uint8Array(file)]), filename);
  };
  if (fileFirst) addFile();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  if (!fileFirst) addFile();
  return form;
}

export const uploadForm = (credentials: ApiCredentials, form: FormData): Promise<HttpResult> =>
  sendRequest(credentials, '/v1/memories', { method: 'POST', body: form });

export const parseJson = <T = Memory>({ bytes }: HttpResult): T =>
  JSON.parse(bytes.toString('utf8')) as T;

export const errorCodeOf = (response: HttpResult): string =>
  parseJson<{ error: { code: string } }>(response).error.code;
