import { phraseSet, wordSet } from './word-lists.ts';

/** Last words of event names. */
export const eventHeadNouns = wordSet(`
  conference conf con summit congress symposium workshop hackathon meetup meet-up meeting-up forum
  convention expo exhibition fair festival fest gala ball concert recital premiere launch party
  pre-party afterparty wedding funeral memorial baptism christening birthday anniversary jubilee
  graduation reunion retreat offsite off-site onsite kickoff kick-off all-hands townhall
  marathon triathlon regatta rally race derby tournament championship championships cup olympics
  games open masters grand-prix prix tour biennale triennale biennial webinar seminar
  masterclass bootcamp hackday hackweek sprint-week camp carnival parade march strike protest
  election elections referendum earthquake hurricane flood outage incident migration-day auction
  sale fundraiser raffle picnic barbecue bbq brunch dinner banquet feast ceremony awards
  biennial week weekend day night nights evening days swap draw quiz tasting hike trip
  worlds worldcup fringe woche messe tage oktoberfest pow-wow potluck vigil sleepover screening
  gig residency inauguration opening vernissage debate panel demo-day assembly crawl jam session
  market show cruise pilgrimage playoffs finals semifinal semi-final final playoff relay swim run`);

/** Head nouns that form an event only with a name before them: they are too common otherwise. */
export const weakEventHeadNouns = wordSet(`
  week weekend day night nights evening days draw trip dinner sale run show market open games final
  finals march race session camp tour ball run swim opening panel debate screening launch strike
  con conf cup swap quiz assembly hike outage incident brunch party meeting migration demo birthday
  election elections concert`);

export const eventNames = phraseSet(`
  fosdem, pycon, europython, djangocon, jsconf, nodeconf, reactconf, rustconf, eurorust, gophercon
  kubecon, dockercon, re:invent, aws re:invent, google i/o, wwdc, build, ignite, dreamforce, defcon
  def con, black hat, ccc, chaos communication congress, froscon, linuxcon, lisa, usenix, sigmod
  vldb, icml, neurips, iclr, cvpr, acl, emnlp, chi, siggraph, gdc, e3, gamescom, ces, ifa, mwc
  mobile world congress, web summit, websummit, slush, sxsw, ted, tedx, devoxx, goto, qcon
  strange loop, oscon, glastonbury, coachella, burning man, tomorrowland, roskilde, wacken, sziget
  primavera sound, oktoberfest, christmas market, mardi gras, eurovision, oscars, grammys, emmys
  baftas, world cup, champions league, europa league, six nations, super bowl, wimbledon, us open
  french open, roland garros, tour de france, giro, giro d'italia, vuelta, iron man, ironman
  olympics, paralympics, commonwealth games, ryder cup, world economic forum, g7, g20, berlinale
  cannes, venice biennale, documenta, art basel, frankfurt book fair, hannover messe, cebit, cop26
  cop27, cop28, cop29, cop30, cop31, cop32, black friday, cyber monday, prime day, hacktoberfest
  advent of code, ramadan, eid, diwali, hanukkah, passover, nowruz, carnival, brexit, kieler woche
  junior worlds, game day, safety week, edinburgh fringe, hay festival`);
