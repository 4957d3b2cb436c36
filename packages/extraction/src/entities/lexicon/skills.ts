import { phraseSet, wordSet } from './word-lists.ts';

/** Skills: programming languages, natural languages, crafts. */
export const programmingLanguages = phraseSet(`
  python, javascript, typescript, java, kotlin, swift, go, golang, rust, c, c++, c#, r, scala
  clojure, haskell, ocaml, elixir, erlang, ruby, perl, php, lua, julia, fortran, cobol, ada, pascal
  delphi, lisp, scheme, prolog, zig, nim, dart, elm, f#, groovy, objective-c, assembly, verilog
  vhdl, solidity, sql, pl/sql, html, css, sass, bash scripting, vba, abap, apex, matlab scripting
  async rust, webassembly, cuda, otp, smalltalk, forth, racket, crystal, purescript`);

export const naturalLanguages = wordSet(`
  english german french spanish italian portuguese dutch flemish danish swedish norwegian finnish
  icelandic faroese polish czech slovak slovene slovenian croatian serbian bosnian bulgarian
  macedonian albanian romanian hungarian greek turkish russian ukrainian belarusian lithuanian
  latvian estonian georgian armenian azerbaijani kazakh uzbek mongolian arabic hebrew yiddish
  persian farsi dari pashto urdu hindi bengali punjabi gujarati marathi tamil telugu kannada
  malayalam sinhala nepali tibetan burmese thai lao khmer vietnamese indonesian malay javanese
  tagalog filipino cebuano mandarin cantonese chinese japanese korean swahili amharic tigrinya
  somali oromo hausa yoruba igbo zulu xhosa afrikaans sesotho setswana shona lingala wolof twi
  kinyarwanda malagasy welsh irish gaelic breton basque catalan galician latin esperanto maltese
  luxembourgish frisian sami inuktitut quechua aymara guarani nahuatl navajo maori samoan tongan
  sanskrit pali aramaic provencal corsican walloon sorbian rusyn chechen tatar bashkir chuvash
  hawaiian fijian darija berber tamazight kurdish uyghur asl bsl romansh occitan sardinian`);

/** Languages that are more often where somebody or something is from. */
export const crafts = phraseSet(`
  sign language, knife skills, first aid, public speaking, project management, data analysis
  machine learning, deep learning, data science, data modelling, data modeling, statistics
  web design, graphic design, ux design, product design, interaction design, user research
  copywriting, technical writing, creative writing, proofreading, translation, interpreting
  accounting, bookkeeping, payroll, negotiation, mediation, facilitation, coaching, mentoring
  carpentry, joinery, woodworking, wood turning, welding, plumbing, masonry, bricklaying
  roofing, tiling, upholstery, bookbinding, pottery, ceramics, glassblowing, weaving, knitting
  crochet, crocheting, sewing, embroidery, quilting, tailoring, leatherwork, blacksmithing, origami
  calligraphy, watercolour, watercolor, oil painting, screen printing, linocut, photography
  film editing, video editing, sound design, audio engineering, mixing, piano, violin, cello, viola
  guitar, bass guitar, drums, flute, clarinet, saxophone, trumpet, oboe, accordion, harmonica
  banjo, ukulele, harp, organ, singing, choral conducting, sight reading, music theory, juggling
  ballet, tango, salsa, swing dance, yoga, pilates, tai chi, karate, judo, taekwondo, aikido
  jiu-jitsu, boxing, fencing, archery, climbing, bouldering, mountaineering, skiing, snowboarding
  ice skating, surfing, kitesurfing, sailing, rowing, kayaking, canoeing, scuba diving, freediving
  swimming, horse riding, dressage, cycling, falconry, beekeeping, gardening, grafting, pruning
  foraging, mushroom picking, cooking, baking, sourdough baking, bread baking, cheesemaking
  fermenting, brewing, butchery, cake decorating, barista skills, wine tasting, chess, bridge, poker
  celestial navigation, navigation, map reading, orienteering, splicing, knot tying, driving
  forklift driving, truck driving, crane operation, flying, gliding, parachuting, lock picking
  phlebotomy, venipuncture, suturing, intubation, ultrasound, echocardiography, triage, cpr
  wound care, intensive care, palliative care, midwifery, physiotherapy, massage, acupuncture
  penetration testing, threat modelling, threat modeling, reverse engineering, incident response
  kubernetes administration, database tuning, performance tuning, query optimisation
  system administration, network security, cryptography, embedded programming, test automation
  load testing, soldering, 3d printing, cnc milling, pcb design, cad, circuit design, robotics
  contract law, tax law, patent law, employment law, gdpr, lean, six sigma, scrum, kanban
  financial modelling, financial modeling, forecasting, bayesian statistics, econometrics
  survey design, gis, remote sensing, surveying, drafting, typesetting, lettering, braille
  maths, mathematics, physics, chemistry, biology, algebra, calculus, geometry, genetics, astronomy
  oenology, reiki, kung fu, kickboxing, capoeira, flamenco, salsa dancing, line dancing, ballroom
  tap dance, opera singing, beatboxing, songwriting, composition, arranging, conducting, mandolin
  bagpipes, lute, sitar, tabla, oud, recorder, tuba, trombone, bassoon, double bass, percussion
  parkour, rugby, handball coaching, table tennis, badminton, squash, golf, polo, lacrosse, curling
  wrestling, weightlifting, crossfit, trail running, canyoning, caving, abseiling, windsurfing
  paragliding, skydiving, wingfoiling, dog training, horse training, sheep shearing, milking
  animal husbandry, permaculture, landscaping, tree surgery, flower arranging, floristry, taxidermy
  thatching, plastering, dry stone walling, stonemasonry, cabinetmaking, french polishing, gilding
  wood carving, wood burning, engraving, etching, lithography, silversmithing, goldsmithing
  watchmaking, clock repair, shoemaking, saddlery, basketry, felting, spinning, dyeing, lacemaking
  macrame, batik, dressmaking, pattern cutting, millinery, hairdressing, make-up, nail art
  tattooing
  butchering, charcuterie, patisserie, chocolate making, jam making, bread making, sushi making
  mixology, coffee roasting, latte art, winemaking, distilling, food safety, food photography
  podcasting, video production, animation, motion graphics, storyboarding, illustration, cartooning
  screenwriting, playwriting, journalism, investigative journalism, blogging, subtitling, dubbing
  data engineering, data visualisation, data visualization, data entry, data privacy, web scraping
  web development, app development, game design, level design, mobile development, backend
  frontend development, cloud architecture, distributed systems, networking, devops, site
  reliability, observability, computer vision, natural language processing, nlp, prompt
  engineering, reinforcement learning, time series, optimisation, operations research, simulation
  finite element analysis, fluid dynamics, thermodynamics, control theory, signal processing
  mechanical design, electrical wiring, hydraulics, pneumatics, plc programming, machining, turning
  quality assurance, auditing, internal audit, risk management, crisis management, change
  management, event planning, event management, fundraising, grant writing, lobbying, campaigning
  conflict resolution, active listening, teaching, tutoring, lecturing, childcare, elder care
  social work, family law, criminal law, labour law, maritime law, competition law, arbitration
  bookselling, cataloguing, archiving, conservation, restoration, provenance research, palaeography
  genealogy, cartography, geology, botany, mycology, ornithology, birdwatching, entomology
  meteorology, oceanography, archaeology, anthropology, epidemiology, toxicology, pharmacology
  anaesthesia, obstetrics, radiography, sonography, dental hygiene, dietetics, speech therapy
  occupational therapy, counselling, psychotherapy, hypnotherapy, meditation, mindfulness
  touch typing, shorthand, stand-up comedy, improv, puppetry, magic tricks, storytelling`);

/** Last words of unknown skills after "knows", "teaches" or "learnt". */
export const skillHeadNouns = wordSet(`
  programming administration engineering design modelling modeling driving navigation painting
  writing speaking editing cooking baking analysis management development testing tuning skills
  repair restoration carving dancing singing playing riding sailing training law accounting care
  statistics photography pruning grafting making dyeing printing tasting therapy massage medicine
  surgery diagnostics theory reading security forensics counselling counseling language scripting`);
