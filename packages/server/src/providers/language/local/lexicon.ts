/** Word lists of this house, written for it: closed classes and what notes are full of. */

const setOf = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

/** Adverbs, greetings and the like: they part phrases, and none is a topic. */
export const fillers = setOf(`
  able across actually ago ahead almost alone along already alright also although always among
  another anybody anymore anyone anything anyway apart apparently around aside away back backwards
  badly bye cheers completely currently dear despite either else elsewhere enough especially etc
  even eventually ever every everybody everyone everything everywhere exactly fairly finally forever
  forward gonna gotta hello hence hello hey hi hmm honestly however hmm instead into kinda largely
  later least less likely lol lots many maybe meanwhile might mostly much must near nearly neither
  never nevertheless next nobody none nope nor nothing nowadays nowhere obviously oh ok okay onto
  otherwise over overall per perhaps please plus pretty probably quite rather really recently
  regarding regards roughly said shall simply since slightly somebody somehow someone something
  sometimes somewhat somewhere soon still super sure thank thanks therefore though throughout thus
  thx today together tomorrow tonight totally toward towards tuesday twice unless unlike until upon
  usually versus via vs way welcome whatever whenever wherever whether whichever whoever whole whose
  within without yeah yep yes yesterday yet monday wednesday thursday friday saturday sunday
  mondays tuesdays wednesdays thursdays fridays saturdays sundays one two three four five six seven
  eight nine ten eleven twelve hundred thousand million dozen half both few several any each like
  off cc bcc re fwd fw ps pls btw fyi imo asap best kind sincerely cordially hugs love xx
`);

/** Verbs that say too little to be a topic, by their base forms. */
export const lightVerbs = setOf(`
  accept achieve act add agree allow answer appear apply arrive ask assume attend avoid be bear
  become begin believe belong bring bump buy call can cause change choose claim come compare confirm
  consider contain continue cost count cover create cut deal decide depend describe deserve discuss
  do drop eat enable end ensure enter exist expect explain fail fall feel fetch figure find finish
  follow forget get give go grow guess handle hang happen hate have hear help hold hope host ignore
  imagine improve include increase inform insist intend introduce join keep know lack land last lead
  learn leave let lie like listen live look lose love make manage matter mean meet mention mind miss
  move need note notice offer open own pass pay pick plan play point prefer prepare prevent produce
  promise prove provide pull push put quote raise reach read realize receive recommend refer relate
 read remain remember remind remove replace reply require rely remain return rise run save say see seem
  sell send serve set share show sign sit sort sound speak spend stand start stay stop suggest
  suppose switch take talk tell tend thank think throw tie touch treat try turn understand use used
  visit wait walk want watch wear win wish wonder work worry write approve
`);

/** Verbs that say what is done, by their base forms; many of them are nouns elsewhere. */
export const contentVerbs = setOf(`
  adopt align allocate analyse analyze announce archive assemble assess assign audit automate award
  backup bake ban benchmark bill block book boost borrow brainstorm brew brief budget build bundle
  cache calculate cancel capture celebrate certify chase check clean clear clone close coach collect
  commission commit compile complain compress compute configure connect contact convert cook copy
  crash crawl customize cycle debug declare decline defer delay delegate delete deliver deploy
  deprecate derive design detect develop diagnose disable document donate download draft drain draw
  drive dump duplicate edit eliminate email embed encrypt enrol enroll escalate estimate evaluate
  exercise expand experiment expire export extend extract facilitate file fill filter fix format
  forward freeze fund generate grant hike hire identify illustrate implement import index inspect
  install instrument integrate interview invest investigate invite invoice isolate iterate knit
  label launch lint load localize lock log maintain map mark market measure mentor merge migrate
  mitigate mock moderate modernize monitor negotiate notify onboard operate optimize optimise order
  organize organise outsource pack package paint paraphrase parse patch pitch plant polish post
  practice practise predict present print prioritize process procure profile program promote
  propose protect prototype provision prune publish query queue quit rank rate rebase rebuild recover
  recruit recycle redesign redirect reduce refactor refine refund register rehearse reject release
  rename renew renovate rent reorder repair report reproduce request research reschedule reserve
  reset resign resolve restart restore restructure retire retrain retry revert review revise revoke
  rewrite roll rotate route sanitize scale scan schedule score scrape search secure seed segment
  serialize service ship shorten simplify simulate sketch skip solve speed split sponsor stabilize
  standardize store stream streamline study submit subscribe sue summarize supervise support survey
  swap sync synchronize teach terminate test tidy trace track trade train transcribe transfer
  transform translate transport travel triage trigger trim troubleshoot tune tweak type uninstall
  unlock update upgrade upload validate verify vote warn weld wipe wire withdraw wrap
`);

/** Describing words in front of a noun that add nothing: "new", "other". */
export const weakAdjectives = setOf(`
  able actual additional appropriate available bad basic best better big bigger biggest bright
  certain clear common complete correct current different due easy entire exact existing extra
  fellow final fine former free full further general good great happy hard important interesting
  known last latest least little local long main major maximum mere minimal minimum minor more most
  muddy new newest nice normal obvious odd old older only open original overall own particular
  past perfect personal pleased possible potential present previous proper quick ready real recent
  regular related relevant respective right second similar simple single sorry special specific
  standard sudden sure third total typical upcoming usual various very well whole worst wrong first
  same other such early late lovely smart weird silly favourite favorite
`);

/** Adjectives of degree: with a noun they say how something is ("high latency"). */
export const measures = setOf(`
  big bigger cheap cold constant dark deep dense expensive fast faster few flat fragile fresh frequent
  hard heavy high higher hot huge large larger limited long longer loud low lower massive narrow noisy
  poor quiet rapid rare rich rising scarce severe shallow sharp short shorter slow slower small smaller
  soft stable steady steep strict strong tall thick thin tight tiny unstable vast warm weak wide
  maximum minimum average median
`);

/** Qualities that stand alone: "vegan", "remote". */
export const qualities = setOf(`
  absent accurate allergic ambitious anxious asynchronous backwards bilingual bored brittle broken
  busy calm careful careless confidential confused constant critical curious deaf diabetic durable
  efficient empty excited exhausted external fluent friendly gluten-free honest hungry idempotent
  impatient incompatible incomplete inconsistent insecure internal jealous lactose-intolerant lazy
  left-handed lonely modular monolithic nervous obsolete offline online optional pregnant proud
  punctual read-only redundant reliable remote right-handed robust rude scalable secure shy sick
  stale stateless strict stubborn synchronous thread-safe tired transparent unreliable unsafe upset
  urgent vegan vegetarian vulnerable
`);

/** Nouns that name nothing on their own. */
export const weakNouns = setOf(`
  action actions area aspect attention background bit case cases chance change changes choice couple
  course day days deal detail details end example examples fact feedback fun guy guys hour hours idea
  ideas information info issue issues item items job kind kinds lot lots man matter meaning mess
  minute minutes mistake moment month months morning name names news night note notes number numbers
  option options part parts people person piece place places point points problem problems question
  questions reason reasons rest result results side situation sort step steps stuff thing
  things time times top topic turn type types user users version way ways week weekend weeks while
  word words work world year years afternoon evening answer line lines list message
`);

/** Units behind a number. */
export const units = setOf(`
  % b kb mb gb tb kib mib gib tib bytes bit bits kbit mbit gbit ms s sec secs second seconds min mins
  minute minutes h hr hrs hour hours µs us ns mm cm m km miles mile ft feet inch inches kg g mg lb lbs
  pounds tons tonnes ml l litres liters litre liter watts kw kwh mw gwh volts v amps hz khz mhz ghz
  rpm px dpi fps rps qps tokens degrees celsius fahrenheit °c °f euros euro dollars usd eur gbp chf
  francs percent points acres hectares calories kcal steps reps cores threads users requests rows
`);

/** Words in -ing that are things and not deeds. */
export const thingsInIng = setOf(`
  anything awning beijing bing boeing building buildings bring ceiling clothing darling during earring
  evening everything feeling filling interesting king lightning lodging meeting meetings morning
  nothing offspring ping pudding ring sibling siblings sing sling something spring sting string
  strings swing thing things underling wedding weddings wellbeing willing wing wing outstanding
  upcoming following existing missing pending remaining nursing housing earnings savings findings
  belongings proceedings surroundings stocking stockings painting paintings being going doing having
  making getting saying
`);

/** Words in -ly that are no adverbs. */
export const nounsInLy = setOf(`
  ally anomaly assembly belly bully butterfly daily elderly family fly friendly homily italy jelly
  july lily melancholy monopoly monthly multiply panoply poly reply sally supply tally weekly yearly
  quarterly hourly nightly costly lively lonely early
`);

/** A form of "be" or "have", before which a subject stands and after which a participle may. */
export const auxiliaries = setOf(
  "am is are was were be been being has have had isn't aren't wasn't weren't hasn't haven't",
);

/** The next word is a verb. */
export const beforeVerbs = setOf(`
  will would should must can could may might shall cannot can't won't don't doesn't didn't shouldn't
  wouldn't couldn't let's please i we they he she you who i'll we'll they'll i'd we'd ll
`);

/** Parts of a name between capitals: "Bank of America". */
export const nameLinks = setOf('of de du des del della di da la le van von der den al el y & für');
