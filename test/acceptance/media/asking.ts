import type { Memory } from '@mneme/contract';

/** Whom to ask, and with which key. */
export interface Asked {
  readonly url: string;
  readonly key: string;
}

export interface Told {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

/** One exchange with bytes in or out. */
export async function ask(
  { url, key }: Asked,
  path: string,
  init: RequestInit & { headers?: Record<string, string> } = {},
): Promise<Told> {
  const tus = path.includes('/v1/media/uploads') ? { 'tus-resumable': '1.0.0' } : {};
  const headers = { authorization: `Bearer ${key}`, ...tus, ...init.headers };
  const response = await fetch(new URL(path, url), { ...init, headers });
  const { status } = response;
  return { status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** A form of fields and a file, in this order unless the file is to be first. */
export function formOf(
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

export const upload = (asked: Asked, form: FormData): Promise<Told> =>
  ask(asked, '/v1/memories', { method: 'POST', body: form });

export const json = <T = Memory>({ bytes }: Told): T => JSON.parse(bytes.toString('utf8')) as T;

export const codeOf = (told: Told): string => json<{ error: { code: string } }>(told).error.code;
