import {
  anyOfWords,
  articles,
  createFactRule,
  type FactRule,
  entityIdsPattern as ids,
  locationObject as l,
  namePattern,
  organizationSubject as oa,
  optionalNowAdverb,
  personSubject as pa,
  skillObject as s,
  upToFourWords,
  upToTwoWords,
  productObject as x,
} from './rule.ts';

// Rules for locations and use.

const held = anyOfWords(
  'is was takes_place opens starts begins happens runs ends kicks_off will_be ' +
    'will_take_place is_held was_held',
);

export const locationRules: readonly FactRule[] = [
  createFactRule(
    `\\b(?:lives?|living|resides?|stays?|settled|settles) ${upToTwoWords}` +
      `(?:in|on|at|near) ${articles}${l}`,
    'located_in',
    'p',
    { confidence: 0.9 },
  ),
  createFactRule(`\\b(?:lived|stayed) (?:in|on) ${articles}${l}`, 'located_in', 'p', {
    time: 'was',
  }),
  createFactRule(
    '\\b(?:based|located|headquartered|seated|sits|situated|stationed|housed) (?:in|' +
      `at|on|near) ${articles}${l}`,
    'located_in',
    'pox',
    { confidence: 0.9 },
  ),
  createFactRule(
    `\\b(?:moved|relocated|emigrated|came) ${upToTwoWords}to ${articles}${l}`,
    'located_in',
    'po',
    {
      time: 'from',
    },
  ),
  createFactRule(
    `\\b(?:moved|relocated|emigrated) from ${articles}<l:${ids}> to ${articles}${l}`,
    'located_in',
    'po',
    {
      time: 'from',
    },
  ),
  createFactRule(`\\b(?:works|working) (?:from|out of) ${articles}${l}`, 'located_in', 'p', {
    confidence: 0.7,
  }),
  createFactRule(
    `\\b(?:rents|rented|owns|has|bought) (?:an? |the |<p:\\d+> 's )(?:[a-z]+ ` +
      `){1,2}(?:in|on) ${articles}${l}`,
    'located_in',
    'p',
    { confidence: 0.65 },
  ),
  createFactRule(
    `${namePattern('po', 'a')} (?:is|are|am) ${optionalNowAdverb}(?:back )?in ${l}`,
    'located_in',
    'po',
    {
      confidence: 0.65,
    },
  ),
  createFactRule(
    `${namePattern('oe', 'a')} 's (?:[a-z]+ )?(?:office|headquarters|hq|seat|shop|garage|` +
      `studio|workshop|building|home) (?:is )?in ${l}`,
    'located_in',
    'oe',
  ),
  createFactRule(
    `(?<!(?:met|saw|with|visited|see|visit|meet) )${namePattern('po', 'a')} in ${articles}${l}`,
    'located_in',
    'po',
    { confidence: 0.65 },
  ),
  createFactRule(
    `${namePattern('e', 'a')} (?:[a-z]+ ){0,2}?(?:in|at|near|on) ${articles}${l}`,
    'located_in',
    'e',
    {
      confidence: 0.8,
    },
  ),
  createFactRule(`${namePattern('e', 'a')} (?:,|\\() ${l}`, 'located_in', 'e', {
    confidence: 0.8,
  }),
  createFactRule(
    `${namePattern('e', 'a')} (?:[a-z,(]+ ){0,2}?<d:\\d+> (?:, )?(?:in |at |, )${articles}${l}`,
    'located_in',
    'e',
    { confidence: 0.8 },
  ),
  createFactRule(
    `\\b${held} (?:on |in |from )?(?:the )?(?:<d:\\d+> )?(?:, )?(?:in|at|near) ${articles}${l}`,
    'located_in',
    'e',
    { confidence: 0.8 },
  ),
  createFactRule(`${oa} (?:,|\\() ${l}(?= [.,)]|$)`, 'located_in', 'o', { confidence: 0.65 }),
  createFactRule(`${pa} \\( ${l} \\)`, 'located_in', 'p', {
    confidence: 0.7,
  }),
  createFactRule(`<p:\\d+> \\( ${oa} , ${l} \\)`, 'located_in', 'o', {
    confidence: 0.8,
  }),
  createFactRule(
    `${pa} (?:from|in|at|of) the ${l} (?:office|branch|team|site|plant|lab|studio)`,
    'located_in',
    'p',
    { confidence: 0.75 },
  ),
  createFactRule(`${pa} from ${l}`, 'located_in', 'p', { confidence: 0.6 }),
  createFactRule(`${pa} , ${l}(?= \\.?$|$)`, 'located_in', 'p', {
    confidence: 0.6,
  }),
  createFactRule(`${namePattern('l', 'a')} , ${l}(?= [.)]|$)`, 'located_in', 'l', {
    confidence: 0.6,
  }),
];

const drives = anyOfWords(
  'uses? using relies_on rely_on runs_on drives? rides? flies takes? is_on ' +
    'built_with built_on powered_by runs depends_on written_in deployed_on trains_on',
);

export const usageRules: readonly FactRule[] = [
  createFactRule(
    `\\bswapped (?:[a-z]+ |<p:\\d+> 's )?<x:${ids}> for ${articles}${x}`,
    'uses',
    'po',
    {
      time: 'from',
    },
  ),
  createFactRule(`\\bswapped (?:[a-z]+ |<p:\\d+> 's )?${x} for`, 'uses', 'po', {
    time: 'to',
  }),
  createFactRule(
    `${pa} 's ${upToTwoWords}(?:phone|laptop|car|camera|bike|watch|tablet|guitar|van|piano|` +
      `printer|computer|editor|drill|bus|boat) is (?:a|an|the|still a|now a) ${upToTwoWords}${x}`,
    'uses',
    'p',
  ),
  createFactRule(`\\b${drives} (?:[a-z-]+ ){0,3}?${namePattern('x', 'b')}`, 'uses', 'pox', {
    confidence: 0.85,
  }),
  createFactRule(
    '\\b(?:uses?|using|built in|written in|runs on|writes? (?:[a-z]+ ){0,3}?in|' +
      'coded? in|programs? in|scripts? in|ported to|did (?:[a-z]+ ){1,3}in|ran ' +
      `(?:[a-z]+ ){1,3}in) ${upToTwoWords}${s}`,
    'uses',
    'pox',
    { confidence: 0.7 },
  ),
  createFactRule(
    `\\b(?:switched|moved|migrated|upgraded|changed) ${upToFourWords}to ${articles}${x}`,
    'uses',
    'po',
    {
      time: 'from',
    },
  ),
  createFactRule(
    `\\b(?:switched|moved|migrated|changed) (?:over )?from <x:${ids}> to ${articles}${x}`,
    'uses',
    'po',
    { time: 'from' },
  ),
  createFactRule(
    `\\b(?:switched|moved|migrated|changed) (?:over )?from ${articles}${x} to`,
    'uses',
    'po',
    {
      time: 'to',
    },
  ),
  createFactRule(
    '\\b(?:shoots?|works?|hosts?|deploys?|builds?|trains?|monitors?|writes?|paints?|' +
      'charts?|types?|records?|tested|edits?|keeps?|stores?|tracks?|manages?|plans?|' +
      'draws?|designs?|models?|films?|codes?|logs?|bills?|navigates|sews|prints?|plays?' +
      `|measures?|mixes) ${upToFourWords}(?:with|on|in|using|via) ${articles}${x}`,
    'uses',
    'po',
    { confidence: 0.7 },
  ),
  createFactRule(
    `\\b(?:has|have|owns?|bought|got) (?:[a-z]+ )?(?:a|an) ${upToTwoWords}${x}`,
    'uses',
    'p',
    {
      confidence: 0.6,
    },
  ),
  createFactRule(
    `${pa} 's (?:(?:new|old|own|first|second|trusty|beloved|little|big|other) ){0,2}${x}`,
    'uses',
    'p',
    { confidence: 0.7 },
  ),
  createFactRule(`\\bused ${articles}${x} until`, 'uses', 'po', { time: 'to' }),
  createFactRule(`\\bused to (?:use|drive|run|ride) ${articles}${x}`, 'uses', 'po', {
    time: 'to',
  }),
];
