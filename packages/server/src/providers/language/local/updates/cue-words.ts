/** Groups of words by what they say of an older statement. Each is counted once. */
const cueGroups = {
  ended: [
    'no longer|not .{0,20}any ?more|any ?longer|quit|quits|stopped|cancelled|canceled',
    'cancels|called off|left|gave up|given up|dropped|sold|broke up|split up|divorced',
    'separated|closed|shut down|shuts down|discontinued|ended|ends|expired|retired',
    'deprecated|removed|scrapped|abandoned|lost|died|passed away|finished|over now',
    'is gone|are gone|ran out|withdrew|resigned|laid off|fired|let go|without a',
    'never again|gone under|went under|put down|cleared|resolved|fixed|healed|recovered',
    "off the table|won't|fell through|backed out",
  ],
  replaced: [
    'switched|switching|switches|moved|moving|moves|changed|changes|replaced|replaces',
    'replacing|instead|rather than|became|becomes|promoted|renamed|migrated|upgraded',
    'rescheduled|postponed|pushed back|brought forward|raised|lowered|increased|decreased',
    'extended|shortened|transferred|took over|taken over|takes over|handed over',
    'hands over|swapped|traded|converted|rebranded|relocated|settled on|went up|went down',
    'went from|from .{2,40} to|new',
  ],
  now: [
    'now|nowadays|these days|currently|as of|from now on|since|starting|effective',
    'at present|at the moment|meanwhile|until further notice|for good|already',
  ],
  corrected: [
    'actually|correction|corrected|wrong|mistake|mistaken|misheard|mixed up|turns out',
    'turned out|i meant|in fact|not .{1,30} but|typo|error|misremembered|scratch that',
    'ignore',
  ],
  added: [
    'also|too|as well|another|additionally|besides|both|along with|on top of|plus',
    'in addition|second|extra|other|more',
  ],
  exception: [
    'today|tonight|this time|this once|just once|once|except|exceptionally|for a change',
    'visited|visiting|visit|this week|weekend|yesterday|last night|borrowed|tried|trying',
    'guest|temporarily|for the day|for now',
  ],
  hedged: [
    'might|maybe|perhaps|thinking about|thinking of|considering|considers|would like',
    'wants to|want to|wish|hope|hoping|hopes|could|would|if|whether|asked|asks|wonder',
    'wonders|wondering|offered|suggested|proposed|plans to|planning|someday|not sure',
    'undecided|dreams?',
  ],
  earlier: [
    'used to|back then|years ago|months ago|ago|previously|formerly|before|when i was',
    'as a child|originally|at first|once upon|in the past|until (?:19|20)\\d\\d|earlier',
  ],
  same: [
    'still|same as|as ever|as always|as before|unchanged|remains|continues|keeps|again',
    'every|usual|usually',
  ],
  planned: [
    'plan|plans|planned|will|going to|scheduled|booked|due|deadline|appointment|reserved',
    'reservation|next (?:week|month|year|spring|summer|autumn|winter)|upcoming|aims?',
    'target|expected|provisional|tentative',
  ],
  denied: ["not|never|no|none|cannot|without|nothing|nobody|neither|\\w+n['’]t"],
} as const;

export type CueGroup = keyof typeof cueGroups;
export const cueGroupNames = Object.keys(cueGroups) as CueGroup[];

const patterns = Object.fromEntries(
  Object.entries(cueGroups).map(([group, words]) => [
    group,
    new RegExp(`\\b(?:${words.join('|')})\\b`, 'i'),
  ]),
) as Record<CueGroup, RegExp>;

/** Long texts are judged by their beginning. */
const charactersMax = 600;

export const hasCue = (text: string, group: CueGroup): boolean =>
  patterns[group].test(text.slice(0, charactersMax));
