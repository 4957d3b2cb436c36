import type { App } from '../domains/ctx.ts';
import { AppError } from '../kernel/errors.ts';

/** A reply other than 250: an SMTP code and an enhanced one (RFC 3463) before the words. */
export class SmtpReplyError extends Error {
  override readonly name = 'Refusal';
  readonly responseCode: number;

  constructor(code: number, enhanced: string, words: string) {
    super(`${enhanced} ${words}`);
    this.responseCode = code;
  }
}

const retryLaterText = 'It takes no mail until that is over: try again later.';

/** Whatever is wrong here is temporary for the sender, who tries again. */
export function toSmtpReplyError({ log }: App, error: unknown): SmtpReplyError {
  if (error instanceof SmtpReplyError) return error;
  if (error instanceof AppError) {
    const { code, message } = error;
    if (code === 'not_found') return new SmtpReplyError(550, '5.1.1', message);
    if (code === 'payload_too_large') return new SmtpReplyError(552, '5.3.4', message);
    if (code === 'rate_limit_exceeded')
      return new SmtpReplyError(450, '4.2.1', 'Too much mail just now');
    // Of a suspended account. It may be let in again, and until then its mail waits elsewhere.
    if (code === 'service_unavailable')
      return new SmtpReplyError(450, '4.2.1', `${message} ${retryLaterText}`);
  }
  log.warn({ err: error }, 'a mail could not be taken');
  return new SmtpReplyError(451, '4.3.0', 'It cannot be taken right now');
}
