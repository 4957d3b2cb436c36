/** A restore or move cannot start or continue; the message says what to do. */
export class RestoreRefused extends Error {
  override readonly name = 'RestoreRefused';
}
