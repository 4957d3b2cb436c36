import type { Client, RawResponse } from '@mneme/sdk';

export const uuid7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
export const absentId = '019b8d1c-3a41-7a52-8c1d-2e3f4a5b6c7d';
const url = 'https://hooks.example.com/in';
export const defaultSettings = { url, events: ['memory.*'] };

export type Settings = Parameters<Client['webhooks']['create']>[0]['body'];

/** Makes a webhook as `plain` says, but for these settings. */
export const createWebhook = (client: Client, settings: Partial<Settings> = {}) =>
  client.webhooks.create({ body: { ...defaultSettings, ...settings } });

/** The same, with the answer as it comes. */
export const postWebhook = (client: Client, settings: object, path = ''): Promise<RawResponse> =>
  client.request({
    method: 'POST',
    path: `/webhooks${path}`,
    body: { ...defaultSettings, ...settings },
  });

export const patchWebhook = (
  client: Client,
  id: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<RawResponse> =>
  client.request({ method: 'PATCH', path: `/webhooks/${id}`, body, headers });

export const idsOf = (page: { data: readonly { id: string }[] }): string[] =>
  page.data.map(({ id }) => id);
