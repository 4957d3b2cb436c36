/** An environment variable with its description and validation. */
export interface Setting {
  readonly description: string;
  readonly defaultValue?: string;
  /** May contain a password, so errors do not show the value. */
  readonly secret?: boolean;
  /** A list, whose error names the item at fault: the whole value is not repeated. */
  readonly isList?: boolean;
  /** Returns an error message for an invalid text, otherwise null. */
  readonly check: (text: string) => string | null;
  /** Whether the server starts with an invalid value, warns, and uses the default. */
  readonly isTolerated?: boolean;
  /** Whether a tolerated value may be in upper case. */
  readonly ignoresCase?: boolean;
}

export const checkAnyText = (): null => null;
export const checkOneOf = (values: readonly string[]) => (text: string) =>
  values.includes(text) ? null : `must be one of ${values.join(', ')}`;
export const checkInteger = (min: number, max: number) => (text: string) =>
  /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max
    ? null
    : `must be an integer from ${min} to ${max}`;
export const checkUrl = (schemes: readonly string[]) => (text: string) =>
  URL.canParse(text) && schemes.includes(new URL(text).protocol)
    ? null
    : `must be a URL of ${schemes.join(' or ')}`;

export const splitCommaList = (text: string): string[] =>
  text.split(',').map((part) => part.trim());

/**
 * @param form what the items are
 * @param faultOf what is wrong with an item, beginning with the item; null: nothing
 */
export const checkList =
  (form: string, faultOf: (item: string) => string | null) =>
  (text: string): string | null => {
    const faults = splitCommaList(text).map(faultOf);
    const fault = faults.find((one) => one !== null);
    return fault === undefined ? null : `must be ${form}: ${fault}`;
  };
