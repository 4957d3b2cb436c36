import { any, few, ids, l, name, now, oa, pa, type Rule, rule, s, some, the, x } from './rule.ts';

// Where things are and what is used.

const held = any(
  'is was takes_place opens starts begins happens runs ends kicks_off will_be ' +
    'will_take_place is_held was_held',
);

export const places: readonly Rule[] = [
  rule(
    `\\b(?:lives?|living|resides?|stays?|settled|settles) ${few}(?:in|on|at|near) ${the}${l}`,
    'located_in',
    'p',
    { confidence: 0.9 },
  ),
  rule(`\\b(?:lived|stayed) (?:in|on) ${the}${l}`, 'located_in', 'p', { time: 'was' }),
  rule(
    '\\b(?:based|located|headquartered|seated|sits|situated|stationed|housed) (?:in|' +
      `at|on|near) ${the}${l}`,
    'located_in',
    'pox',
    { confidence: 0.9 },
  ),
  rule(`\\b(?:moved|relocated|emigrated|came) ${few}to ${the}${l}`, 'located_in', 'po', {
    time: 'from',
  }),
  rule(`\\b(?:moved|relocated|emigrated) from ${the}<l:${ids}> to ${the}${l}`, 'located_in', 'po', {
    time: 'from',
  }),
  rule(`\\b(?:works|working) (?:from|out of) ${the}${l}`, 'located_in', 'p', { confidence: 0.7 }),
  rule(
    `\\b(?:rents|rented|owns|has|bought) (?:an? |the |<p:\\d+> 's )(?:[a-z]+ ` +
      `){1,2}(?:in|on) ${the}${l}`,
    'located_in',
    'p',
    { confidence: 0.65 },
  ),
  rule(`${name('po', 'a')} (?:is|are|am) ${now}(?:back )?in ${l}`, 'located_in', 'po', {
    confidence: 0.65,
  }),
  rule(
    `${name('oe', 'a')} 's (?:[a-z]+ )?(?:office|headquarters|hq|seat|shop|garage|` +
      `studio|workshop|building|home) (?:is )?in ${l}`,
    'located_in',
    'oe',
  ),
  rule(
    `(?<!(?:met|saw|with|visited|see|visit|meet) )${name('po', 'a')} in ${the}${l}`,
    'located_in',
    'po',
    { confidence: 0.65 },
  ),
  rule(`${name('e', 'a')} (?:[a-z]+ ){0,2}?(?:in|at|near|on) ${the}${l}`, 'located_in', 'e', {
    confidence: 0.8,
  }),
  rule(`${name('e', 'a')} (?:,|\\() ${l}`, 'located_in', 'e', { confidence: 0.8 }),
  rule(
    `${name('e', 'a')} (?:[a-z,(]+ ){0,2}?<d:\\d+> (?:, )?(?:in |at |, )${the}${l}`,
    'located_in',
    'e',
    { confidence: 0.8 },
  ),
  rule(
    `\\b${held} (?:on |in |from )?(?:the )?(?:<d:\\d+> )?(?:, )?(?:in|at|near) ${the}${l}`,
    'located_in',
    'e',
    { confidence: 0.8 },
  ),
  rule(`${oa} (?:,|\\() ${l}(?= [.,)]|$)`, 'located_in', 'o', { confidence: 0.65 }),
  rule(`${pa} \\( ${l} \\)`, 'located_in', 'p', { confidence: 0.7 }),
  rule(`<p:\\d+> \\( ${oa} , ${l} \\)`, 'located_in', 'o', { confidence: 0.8 }),
  rule(
    `${pa} (?:from|in|at|of) the ${l} (?:office|branch|team|site|plant|lab|studio)`,
    'located_in',
    'p',
    { confidence: 0.75 },
  ),
  rule(`${pa} from ${l}`, 'located_in', 'p', { confidence: 0.6 }),
  rule(`${pa} , ${l}(?= \\.?$|$)`, 'located_in', 'p', { confidence: 0.6 }),
  rule(`${name('l', 'a')} , ${l}(?= [.)]|$)`, 'located_in', 'l', { confidence: 0.6 }),
];

const drives = any(
  'uses? using relies_on rely_on runs_on drives? rides? flies takes? is_on ' +
    'built_with built_on powered_by runs depends_on written_in deployed_on trains_on',
);

export const usage: readonly Rule[] = [
  rule(`\\bswapped (?:[a-z]+ |<p:\\d+> 's )?<x:${ids}> for ${the}${x}`, 'uses', 'po', {
    time: 'from',
  }),
  rule(`\\bswapped (?:[a-z]+ |<p:\\d+> 's )?${x} for`, 'uses', 'po', { time: 'to' }),
  rule(
    `${pa} 's ${few}(?:phone|laptop|car|camera|bike|watch|tablet|guitar|van|piano|` +
      `printer|computer|editor|drill|bus|boat) is (?:a|an|the|still a|now a) ${few}${x}`,
    'uses',
    'p',
  ),
  rule(`\\b${drives} (?:[a-z-]+ ){0,3}?${name('x', 'b')}`, 'uses', 'pox', { confidence: 0.85 }),
  rule(
    '\\b(?:uses?|using|built in|written in|runs on|writes? (?:[a-z]+ ){0,3}?in|' +
      'coded? in|programs? in|scripts? in|ported to|did (?:[a-z]+ ){1,3}in|ran ' +
      `(?:[a-z]+ ){1,3}in) ${few}${s}`,
    'uses',
    'pox',
    { confidence: 0.7 },
  ),
  rule(`\\b(?:switched|moved|migrated|upgraded|changed) ${some}to ${the}${x}`, 'uses', 'po', {
    time: 'from',
  }),
  rule(
    `\\b(?:switched|moved|migrated|changed) (?:over )?from <x:${ids}> to ${the}${x}`,
    'uses',
    'po',
    { time: 'from' },
  ),
  rule(`\\b(?:switched|moved|migrated|changed) (?:over )?from ${the}${x} to`, 'uses', 'po', {
    time: 'to',
  }),
  rule(
    '\\b(?:shoots?|works?|hosts?|deploys?|builds?|trains?|monitors?|writes?|paints?|' +
      'charts?|types?|records?|tested|edits?|keeps?|stores?|tracks?|manages?|plans?|' +
      'draws?|designs?|models?|films?|codes?|logs?|bills?|navigates|sews|prints?|plays?' +
      `|measures?|mixes) ${some}(?:with|on|in|using|via) ${the}${x}`,
    'uses',
    'po',
    { confidence: 0.7 },
  ),
  rule(`\\b(?:has|have|owns?|bought|got) (?:[a-z]+ )?(?:a|an) ${few}${x}`, 'uses', 'p', {
    confidence: 0.6,
  }),
  rule(
    `${pa} 's (?:(?:new|old|own|first|second|trusty|beloved|little|big|other) ){0,2}${x}`,
    'uses',
    'p',
    { confidence: 0.7 },
  ),
  rule(`\\bused ${the}${x} until`, 'uses', 'po', { time: 'to' }),
  rule(`\\bused to (?:use|drive|run|ride) ${the}${x}`, 'uses', 'po', { time: 'to' }),
];
