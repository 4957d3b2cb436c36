export type { RawBody } from './bodies.ts';
export { type ClientOptions, createCaller, type Validator } from './caller.ts';
export type { CallOptions, FullResponse, OperationCaller } from './calls.ts';
export { type Client, createClient } from './client.ts';
export type { ErrorDetails, FieldError } from './error-details.ts';
export { type AnyErrorCode, isMnemeError, MnemeError } from './errors.ts';
export type { EventOf, EventType, PublicEvent } from './events.ts';
export type { FollowedEvent, FollowOptions } from './follow.ts';
export { operations } from './generated/operations.ts';
export type * from './generated/types.ts';
export type { ListCall } from './list-call.ts';
export type { ListOperation, Operation } from './operation.ts';
export { type Page, type PageRecord, paginate } from './paginate.ts';
export type {
  EndedAttempt,
  RawRequest,
  RawResponse,
  RequestAttempt,
  RequestHooks,
} from './transport.ts';
export type {
  CompletedUpload,
  FileUpload,
  PartsUpload,
  UploadInPartsOptions,
  UploadOptions,
} from './upload.ts';
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
