/** The restore cannot begin, or cannot go on; the message says what to do. */
export class RestoreRefused extends Error {
  override readonly name = 'RestoreRefused';
}
