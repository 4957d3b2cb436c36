/** Re-exports of the contract, so that clients need only this package. */
export {
  type AccountState,
  type ApiKey,
  type Event,
  grantableScopes,
  type Health,
  type Memory,
  type Plan,
  type PublicEvent,
  plans,
  routes,
  type SearchResult,
} from '@mneme/contract';
export type { RawBody } from './bodies.ts';
export type { CallOptions, CallResult, FullResponse, RouteInput, RouteListItem } from './calls.ts';
export { type Client, type ClientOptions, createClient } from './client.ts';
export { MnemeError } from './errors.ts';
export type { FollowedEvent, FollowOptions } from './follow.ts';
export { type Page, type PageRecord, paginate } from './paginate.ts';
export type { RawRequest, RawResponse } from './transport.ts';
export type { CompletedUpload, FileUpload, PartsUpload, UploadInPartsOptions } from './upload.ts';
export {
  type VerifyWebhookOptions,
  verifyWebhook,
  WebhookError,
  type WebhookErrorReason,
  type WebhookEvent,
  type WebhookHeaders,
  type WebhookTestEvent,
  type WrappedWebhookEvent,
} from './webhook.ts';
