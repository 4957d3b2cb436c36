/** One line that says whether a bar was held. */
export const renderVerdict = (held: boolean, says: string): string =>
  `${held ? 'held  ' : 'MISSED'}  ${says}`;
