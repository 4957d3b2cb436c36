/** What clients need of the contract, so that this is their one door. */
export {
  type AccountState,
  type ApiKey,
  type Event,
  grantableScopes,
  type Health,
  type Memory,
  type Plan,
  plans,
  routes,
  type SearchResult,
  type ShownEvent,
} from '@mneme/contract';
export type { Bytes } from './bodies.ts';
export type { CallOptions, FullAnswer, Given, Input, Item } from './calls.ts';
export { type Client, type ClientOptions, createClient } from './client.ts';
export { MnemeError } from './errors.ts';
export type { FollowedEvent, FollowOptions } from './follow.ts';
export { type Page, paginate, type RecordOf } from './paginate.ts';
export type { RawAnswer, RawRequest } from './transport.ts';
export type { FileUpload, PartsOptions, PartsUpload, Uploaded } from './upload.ts';
export {
  type Verification,
  verifyWebhook,
  WebhookError,
  type WebhookEvent,
  type WebhookFault,
  type WebhookHeaders,
  type WebhookTestEvent,
  type WrappedWebhookEvent,
} from './webhook.ts';
