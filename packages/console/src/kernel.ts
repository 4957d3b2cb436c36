/** The clock of the page, in ms since 1970. */
export const systemNowMs = (): number => Date.now();
