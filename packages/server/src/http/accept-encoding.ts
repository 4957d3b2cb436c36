/** RFC 9110, 12.5.3: whether the coding is listed with a weight other than 0. */
export const acceptsEncoding = (coding: 'br' | 'gzip', accepted: string | string[] = ''): boolean =>
  String(accepted)
    .split(',')
    .some((item) => {
      const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
      return name === coding && !parameters.some((part) => /^q\s*=\s*0(?:\.0*)?$/.test(part));
    });
