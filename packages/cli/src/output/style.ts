/** Escape sequences for a terminal with colours; unchanged text elsewhere. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
}

const styled = (code: number, end: number) => (text: string) =>
  text === '' ? '' : `\u001b[${code}m${text}\u001b[${end}m`;

const coloured: Style = { bold: styled(1, 22), dim: styled(2, 22) };
export const plainStyle: Style = { bold: (text) => text, dim: (text) => text };

/** Colours only on a terminal, and never with NO_COLOR or TERM=dumb. */
export const createStyle = (
  isTerminal: boolean,
  { NO_COLOR, TERM }: Readonly<Record<string, string | undefined>>,
): Style => (isTerminal && !NO_COLOR && TERM !== 'dumb' ? coloured : plainStyle);
