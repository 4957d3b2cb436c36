import { wordSet } from './word-lists.ts';

/** Capitalised, at the start of a sentence or anywhere, but not a name. */
export const nonNameCapitals = wordSet(`
  i i'm i've i'd i'll ok okay pdf pdfs html url urls api apis http https json xml yaml csv todo
  fixme
  faq fyi asap eta eod eow rsvp tbd tba ps pps re fwd fw cc bcc subject from to date aob agm ceo cto
  cfo coo cio vp pr prs mr mrs ms dr prof utc gmt cet cest pst est edt am pm a.m. p.m. nda ndas cv
  id
  ids ip tcp udp ssl tls dns vpn ui ux cpu gpu ram ssd usb tv dvd cd kpi okr okrs roi vat gdp cla
  adr rfc mvp poc sla slo p95 p99 h1 h2 kb mb gb tb ms kg km cm mm may might monday tuesday
  wednesday
  thursday friday saturday sunday january february march april june july august september october
  november december mon tue tues wed thu thur thurs fri sat sun jan feb mar apr jun jul aug sep sept
  oct nov dec christmas easter new year years english-speaking english german french spanish italian
  dutch polish russian chinese japanese korean european american british indian african asian swiss
  irish scottish welsh danish swedish norwegian finnish greek turkish arabic canadian australian
  mexican brazilian north south east west northern southern eastern western present attendees
  attending apologies absent chair agenda minutes action actions decision decisions item items note
  notes next team hello hi hey dear thanks thank best regards kind warm sincerely cheers yours
  greetings hugs love cordialement sir madam all everyone everybody god sorry yes no yeah nope
  please
  grandad granddad rumour rumor ombudsman
  happy merry congratulations welcome good morning afternoon evening night co-authored-by
  signed-off-by reviewed-by reported-by tested-by acked-by fixes closes refs see also user users
  reminder update summary status topic topics idea ideas question answer problem solution plan plans
  deadline event list project feature bug issue release version chapter figure table section page
  appendix step part phase sprint iso edi as2 ftp ssh sms gps diy vip sos ai ml llm iot saas qr ssn
  pto wfh ooo eur usd gbp chf covid dna rna mri ct ecg ekg icu hiv gdpr feat fix docs chore refactor
  perf style build ci test tests revert wip draft final moin hola ciao bonjour hallo salut servus
  wasalaam namaste assistant system human ai mom mum dad mama papa gran grandma grandpa attachment
  internet web wi-fi wifi bluetooth q1 q2 q3 q4 christian muslim jewish catholic euro euros dollar
  dollars pound pounds francs lol omg haha yay ugh wow hmm oh ah eh btw imo imho tl;dr tldr lgtm
  fyi nb etc ie eg deputy treasurer secretary manager director president minister barrister caterer
  plumber photographer teacher nurse doctor engineer intern assistant source owner author host
  contact speaker speakers organiser organizer location venue place time price cost budget where
  when
  who what why how`);

/** Too common to be a name at the start of a sentence. */
export const functionWords = wordSet(`
  the a an this that these those my your his her its our their i you he she it we they me him us
  them
  mine yours hers ours theirs who whom whose which what where when why how and or but nor so yet for
  if then else than because since until unless while although though whereas as at by in into on
  onto of off over under up down out with without within from to toward towards through across
  between among against about above below before after during is are was were be been being am do
  does did done doing have has had having will would shall should can could may might must ought not
  no never always often sometimes usually also too very just only even still again already soon now
  here there everywhere nowhere both either neither each every all any some many much more most few
  less least several other another such same own one two three four five six seven eight nine ten
  first second third last next let lets let's don't doesn't didn't isn't aren't wasn't weren't won't
  can't couldn't shouldn't wouldn't haven't hasn't hadn't i'm i've i'd i'll you're you've you'll
  we're
  we've we'll they're they've it's that's there's he's she's who's what's nobody nothing somebody
  someone something anybody anyone anything everybody everyone everything`);
