/** Built-in word lists: closed word classes, and words that are frequent in notes. */

const setOf = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

/** Adverbs, greetings and the like: they separate phrases, and none is a topic. */
export const fillerWords = setOf(`
  able across actually ago ahead almost alone along already alright also although always among
  another any anybody anymore anyone anything anyway apart apparently around asap aside away
  back backwards badly bcc best both btw bye cc cheers completely cordially currently dear
  despite dozen each eight either eleven else elsewhere enough especially etc even eventually
  ever every everybody everyone everything everywhere exactly fairly few finally five forever
  forward four friday fridays fw fwd fyi gonna gotta half hello hence hey hi hmm honestly
  however hugs hundred imo instead into kind kinda largely later least less like likely lol lots
  love many maybe meanwhile might million monday mondays mostly much must near nearly neither
  never nevertheless next nine nobody none nope nor nothing nowadays nowhere obviously off oh ok
  okay one onto otherwise over overall per perhaps please pls plus pretty probably ps quite
  rather re really recently regarding regards roughly said saturday saturdays seven several
  shall simply since sincerely six slightly somebody somehow someone something sometimes
  somewhat somewhere soon still sunday sundays super sure ten thank thanks therefore though
  thousand three throughout thursday thursdays thus thx today together tomorrow tonight totally
  toward towards tuesday tuesdays twelve twice two unless unlike until upon usually versus via
  vs way wednesday wednesdays welcome whatever whenever wherever whether whichever whoever whole
  whose within without xx yeah yep yes yesterday yet twenty thirty forty fifty sixty seventy
  eighty ninety below beside besides beyond inside outside regardless
`);

/** Verbs too general to be a topic, in base form. */
export const lightVerbs = setOf(`
  accept achieve act add agree allow answer appear apply approve arrive ask assume attend avoid
  be bear become begin believe belong bring bump buy call can cause change choose claim come
  compare confirm consider contain continue cost count cover create cut deal decide depend
  describe deserve discuss do drop eat enable end ensure enter exist expect explain fail fall
  feel fetch figure find finish follow forget get give go grow guess handle hang happen hate
  have hear help hold hope host ignore imagine improve include increase inform insist intend
  introduce join keep know lack land last lead learn leave let lie like listen live look lose
  love make manage matter mean meet mention mind miss move need note notice offer open own pass
  pay pick plan play point prefer prepare prevent produce promise prove provide pull push put
  quote raise reach read realize receive recommend refer relate rely remain remember remind
  remove replace reply require return rise run save say see seem sell send serve set share show
  sign sit sort sound speak spend stand start stay stop suggest suppose switch take talk tell
  tend thank think throw tie touch treat try turn understand use used visit wait walk want watch
  wear win wish wonder work worry write
`);

/** Verbs of specific actions, in base form; many of them can also be nouns. */
export const contentVerbs = setOf(`
  adopt align allocate analyse analyze announce archive assemble assess assign audit automate
  award backup bake ban benchmark bill block book boost borrow brainstorm brew brief budget
  build bundle cache calculate cancel capture celebrate certify chase check clean clear clone
  close coach collect commission commit compile complain compress compute configure connect
  contact convert cook copy crash crawl customize cycle debug declare decline defer delay
  delegate delete deliver deploy deprecate derive design detect develop diagnose disable
  document donate download draft drain draw drive dump duplicate edit eliminate email embed
  encrypt enrol enroll escalate estimate evaluate exercise expand experiment expire export
  extend extract facilitate file fill filter fix format forward freeze fund generate grant hike
  hire identify illustrate implement import index inspect install instrument integrate interview
  invest investigate invite invoice isolate iterate knit label launch lint load localize lock
  log maintain map mark market measure mentor merge migrate mitigate mock moderate modernize
  monitor negotiate notify onboard operate optimise optimize order organise organize outsource
  pack package paint paraphrase parse patch pitch plant polish post practice practise predict
  present print prioritize process procure profile program promote propose protect prototype
  provision prune publish query queue quit rank rate rebase rebuild recover recruit recycle
  redesign redirect reduce refactor refine refund register rehearse reject release rename renew
  renovate rent reorder repair report reproduce request reschedule research reserve reset resign
  resolve restart restore restructure retire retrain retry revert review revise revoke rewrite
  roll rotate route sanitize scale scan schedule score scrape search secure seed segment
  serialize service ship shorten simplify simulate sketch skip solve speed split sponsor
  stabilize standardize store stream streamline study submit subscribe sue summarize supervise
  support survey swap sync synchronize teach terminate test tidy trace track trade train
  transcribe transfer transform translate transport travel triage trigger trim troubleshoot tune
  tweak type uninstall unlock update upgrade upload validate verify vote warn weld wipe wire
  withdraw wrap
`);

/** Adjectives before a noun that add nothing: "new", "other". */
export const weakAdjectives = setOf(`
  able actual additional appropriate available bad basic best better big bigger biggest bright
  certain clear common complete correct current different due early easy entire exact existing
  extra favorite favourite fellow final fine first former free full further general good great
  happy hard important interesting known last late latest least little local long lovely main
  major maximum mere minimal minimum minor more most muddy new newest nice normal obvious odd
  old older only open original other overall own particular past perfect personal pleased
  possible potential present previous proper quick ready real recent regular related relevant
  respective right same second silly similar simple single smart sorry special specific standard
  such sudden sure third total typical upcoming usual various very weird well whole worst wrong
`);

/** Adjectives of degree: with a noun they form an attribute ("high latency"). */
export const degreeAdjectives = setOf(`
  average big bigger cheap cold constant dark deep dense expensive fast faster few flat fragile
  frequent fresh hard heavy high higher hot huge large larger limited long longer loud low lower
  massive maximum median minimum narrow noisy poor quiet rapid rare rich rising scarce severe
  shallow sharp short shorter slow slower small smaller soft stable steady steep strict strong
  tall thick thin tight tiny unstable vast warm weak wide
`);

/** Adjectives that form an attribute without a noun: "vegan", "remote". */
export const standaloneAdjectives = setOf(`
  absent accurate allergic ambitious anxious asynchronous backwards bilingual bored brittle
  broken busy calm careful careless confidential confused constant critical curious deaf
  diabetic durable efficient empty excited exhausted external fluent friendly gluten-free honest
  hungry idempotent impatient incompatible incomplete inconsistent insecure internal jealous
  lactose-intolerant lazy left-handed lonely modular monolithic nervous obsolete offline online
  optional pregnant proud punctual read-only redundant reliable remote right-handed robust rude
  scalable secure shy sick stale stateless strict stubborn synchronous thread-safe tired
  transparent unreliable unsafe upset urgent vegan vegetarian vulnerable
`);

/** Nouns too general to be a topic. */
export const weakNouns = setOf(`
  action actions afternoon answer area aspect attention background bit case cases chance change
  changes choice couple course day days deal detail details end evening example examples fact
  feedback fun guy guys hour hours idea ideas info information issue issues item items job kind
  kinds line lines list lot lots man matter meaning mess message minute minutes mistake moment
  month months morning name names news night note notes number numbers option options part parts
  people person piece place places point points problem problems question questions reason
  reasons rest result results side situation sort step steps stuff thing things time times top
  topic turn type types user users version way ways week weekend weeks while word words work
  world year years
`);

/** Units after a number. */
export const measurementUnits = setOf(`
  % acres amps b bit bits bytes calories celsius chf cm cores degrees dollars dpi eur euro euros
  fahrenheit feet fps francs ft g gb gbit gbp ghz gib gwh h hectares hour hours hr hrs hz inch
  inches kb kbit kcal kg khz kib km kw kwh l lb lbs liter liters litre litres m mb mbit mg mhz
  mib mile miles min mins minute minutes ml mm ms mw ns percent points pounds px qps reps
  requests rows rpm rps s sec second seconds secs steps tb threads tib tokens tonnes tons us usd
  users v volts watts °c °f µs
`);

/** Words in -ing that are things and not actions. */
export const nounsInIng = setOf(`
  anything awning beijing being belongings bing boeing bring building buildings ceiling clothing
  darling doing during earnings earring evening everything existing feeling filling findings
  following getting going having housing interesting king lightning lodging making meeting
  meetings missing morning nothing nursing offspring outstanding painting paintings pending ping
  proceedings pudding remaining ring savings saying sibling siblings sing sling something spring
  sting stocking stockings string strings surroundings swing thing things underling upcoming
  wedding weddings wellbeing willing wing
`);

/** Words in -ly that are not adverbs. */
export const nonAdverbsInLy = setOf(`
  ally anomaly assembly belly bully butterfly costly daily early elderly family fly friendly
  homily hourly italy jelly july lily lively lonely melancholy monopoly monthly multiply nightly
  panoply poly quarterly reply sally supply tally weekly yearly
`);

/** Forms of "be" and "have": a subject is before them, and a participle may follow. */
export const auxiliaries = setOf(
  "am is are was were be been being has have had isn't aren't wasn't weren't hasn't haven't",
);

/** The next word is a verb. */
export const verbCues = setOf(`
  can can't cannot could couldn't didn't doesn't don't he i i'd i'll let's ll may might must
  please shall she should shouldn't they they'll we we'd we'll who will won't would wouldn't you
`);

/** Parts of a name between capitals: "Bank of America". */
export const nameParticles = setOf(
  'of de du des del della di da la le van von der den al el y & für',
);
