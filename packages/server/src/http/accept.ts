/** Whether Accept lists the type itself with a weight other than 0 (RFC 9110, 12.5.1). */
export const acceptsType = (accept: string | string[] | undefined, type: string): boolean =>
  String(accept ?? '')
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .some(([listed, ...rest]) => listed === type && !rest.some(isZeroWeight));
const isZeroWeight = (parameter: string): boolean => /^q=0(?:\.0*)?$/.test(parameter);
