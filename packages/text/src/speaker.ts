const leadingName = /^(\p{Lu}[\p{L}'’.-]{0,30}(?: \p{Lu}[\p{L}'’.-]{0,30}){0,2}):\s/u;

/** Words before a colon that are not names. */
const labels = new Set(
  `action actions answer assistant attention caution conclusion context date decision decisions
  definition description details error example examples fact fixed goal hint human idea important
  info input issue link location message name next note notes output problem question reason
  reminder result results role rule solution status step steps subject summary system task test
  time tip title todo topic update user warning`.split(/\s+/),
);

/** The speaker of a turn written as "Name: words"; null if there is none. */
export function leadingSpeaker(text: string): string | null {
  const name = leadingName.exec(text)?.[1];
  return name === undefined || labels.has(name.toLowerCase()) ? null : name;
}

const numbered = /^(?:speaker|spk)?[\s_-]*(?:\p{L}|\d{1,3})?(?: \(\d+\))?$/iu;

/**
 * The label if it is a name; null for labels that only distinguish voices: A, SPEAKER_01, B (2).
 */
export const nameFromSpeakerLabel = (label: string | null): string | null =>
  label === null || numbered.test(label) ? null : label;
