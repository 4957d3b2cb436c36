import type { ErrorCode } from './generated/types.ts';

/** One invalid field; `min` and `max` are inclusive bounds. */
export interface FieldError {
  readonly code:
    | 'required'
    | 'invalid_type'
    | 'invalid_range'
    | 'invalid_enum_value'
    | 'field_too_long'
    | 'invalid_format'
    | 'invalid_characters'
    | 'unknown_field';
  readonly message: string;
  readonly received?: unknown;
  readonly min?: number;
  readonly max?: number;
}

/** How much of a limit is used, and when it starts again. */
interface LimitDetails {
  readonly limit?: number;
  readonly used?: number;
}

/** The details of the codes that have some; see docs/errors.md. */
interface DetailsByCode {
  readonly validation_error: { readonly fields: Readonly<Record<string, FieldError>> };
  readonly duplicate_memory: { readonly memory_id: string };
  readonly insufficient_permissions: {
    readonly required_scope?: string;
    readonly scopes?: readonly string[];
  };
  readonly space_access_denied: {
    readonly space_id?: string | null;
    readonly space_ids?: readonly string[];
  };
  readonly space_not_found: {
    readonly space_id?: string;
    readonly space_ids?: readonly string[];
  };
  readonly user_access_denied: { readonly user_id?: string };
  readonly quota_exceeded: LimitDetails & { readonly quota?: string };
  readonly rate_limit_exceeded: LimitDetails;
  readonly daily_limit_exceeded: LimitDetails;
  readonly concurrent_limit_exceeded: LimitDetails;
  readonly cluster_not_found: { readonly cluster_id?: string };
  readonly space_already_exists: { readonly name: string };
  readonly space_not_empty: { readonly count: number; readonly soft_deleted: number };
  readonly invalid_state_transition: {
    readonly current_status?: string;
    readonly requested_action?: string;
  };
  readonly precondition_failed: { readonly etag?: string };
  readonly content_too_large: { readonly max_bytes: number; readonly received_bytes: number };
  readonly invalid_embedding: {
    readonly expected_dimensions?: number;
    readonly received_dimensions?: number;
  };
}

type UnknownDetails = Readonly<Record<string, unknown>>;

/** The type of `error.details` for an error code. */
export type ErrorDetails<Code extends string = ErrorCode> = Code extends keyof DetailsByCode
  ? DetailsByCode[Code] & UnknownDetails
  : UnknownDetails;
