import type { App } from '../domains/ctx.ts';
import { AppError } from '../kernel/errors.ts';

/** A reply other than 250: an SMTP code, an enhanced status code (RFC 3463) and a text. */
export class SmtpReplyError extends Error {
  override readonly name = 'SmtpReplyError';
  readonly responseCode: number;

  constructor(code: number, enhancedCode: string, text: string) {
    super(`${enhancedCode} ${text}`);
    this.responseCode = code;
  }
}

const retryLaterText = 'It accepts no mail while it is suspended: retry later.';

/** Maps unexpected errors to a temporary reply, so that the sender retries. */
export function toSmtpReplyError({ log }: App, error: unknown): SmtpReplyError {
  if (error instanceof SmtpReplyError) return error;
  if (error instanceof AppError) {
    const { code, message } = error;
    if (code === 'not_found') return new SmtpReplyError(550, '5.1.1', message);
    if (code === 'payload_too_large') return new SmtpReplyError(552, '5.3.4', message);
    if (code === 'rate_limit_exceeded')
      return new SmtpReplyError(450, '4.2.1', 'Too many messages: retry later');
    // A suspended account may be resumed; until then its mail waits at the sender.
    if (code === 'service_unavailable')
      return new SmtpReplyError(450, '4.2.1', `${message} ${retryLaterText}`);
  }
  log.warn({ err: error }, 'inbound mail failed');
  return new SmtpReplyError(451, '4.3.0', 'Temporary failure: retry later');
}
