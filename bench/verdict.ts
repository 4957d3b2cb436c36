/** One line that says whether a bar was held. */
export const verdictLine = (held: boolean, says: string): string =>
  `${held ? 'held  ' : 'MISSED'}  ${says}`;
