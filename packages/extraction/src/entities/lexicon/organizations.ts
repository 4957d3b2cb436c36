import { phraseSet, wordSet } from './word-lists.ts';

/** Legal forms after company names. */
export const companyForms = wordSet(`
  inc ltd llc llp plc corp corporation gmbh ag kg ohg ug se sa sas sarl srl spa s.a. s.l. s.p.a.
  s.r.l.
  nv bv b.v. n.v. ab oy oyj asa aps a/s as kk k.k. pty pte bhd sdn co limited incorporated company
  kgaa
  e.v. ev eg zrt kft doo d.o.o. sro s.r.o. lda ltda`);

/** A name that ends (or starts) with one of these is an organisation. */
export const organizationHeadNouns = wordSet(`
  university universitat universite universidad universita universiteit college school academy
  institute institut institution faculty kindergarten gymnasium polytechnic conservatory
  bank bancorp insurance assurance capital partners ventures holdings holding group groupe gruppe
  company companies enterprises industries brothers bros sons associates consulting consultants
  solutions systems technologies technology tech labs lab laboratories laboratory software
  robotics analytics digital media studios studio pictures records entertainment games interactive
  energy power electric solar oil gas petroleum motors motor automotive aerospace aviation airlines
  airways air rail railways logistics shipping freight marine foods food bakery brewery winery
  coffee roasters restaurant bistro trattoria pharma pharmaceuticals biotech therapeutics
  diagnostics health healthcare healthineers clinic clinics hospital hospitals hopital klinik
  klinikum surgery pharmacy dental medical ministry department agency authority commission committee
  council parliament senate court courts tribunal police bundesamt amt office bureau board
  foundation fondation fundacion stiftung trust charity society association union federation
  league club fc hb guild cooperative coop co-op church parish mosque synagogue orchestra symphony
  philharmonic choir quartet band ensemble theatre theater opera ballet museum gallery library
  archive archives press publishing publishers books news times post gazette herald tribune radio
  television tv broadcasting network networks telecom telekom mobile wireless services service
  hotel hotels resort catering construction builders building architects engineering plumbing
  properties realty estates chambers law legal notaries accountants farms farm dairy vineyards
  nursery garden-centre hardware tools supplies supply trading traders imports exports textiles
  fashion cosmetics optics instruments dynamics materials chemicals steel metals mining cement
  security defence defense biosciences sciences genomics ambulance rescue scouts ltd gmbh
  hausverwaltung verein kibbutz ateliers atelier observatory observatorio observatoire institutes
  shipyard scaffolding kanzlei ferries haulage roofing flooring glazing cinema cinemas arts bikes
  brewing distillery printers bindery tannery sawmill creamery butchers apparel outfitters optical
  ai united rovers wanderers athletic albion audio optik
  water coaches taxis cycles ceramics kitchens interiors timber textile
  forge works mills printworks garage carpentry joinery cadastre kollektiv collective cirque
  circus`);

/** Heads before "of": "University of Warsaw", "Bank of Lesotho". */
export const organizationHeadsBeforeOf = wordSet(`
  university bank ministry department institute school college academy faculty office board council
  port museum church society house chamber bureau association federation league union guild cadastre
  court library hospital order centre center museum embassy consulate commission city town
  gulf bay isle cape republic kingdom state summer conference day festival festivals battle
  feast symposium congress workshop`);

/** Units of organisations, also in lower case: "growth team", "Bergen office". */
export const teamHeadNouns = wordSet(`
  team crew squad desk guild group society club unit department dept division chapter taskforce
  committee board
  office lab ward workgroup`);

/** Words before a unit that do not name it. */
export const nonNamingModifiers = wordSet(`
  the a an my our your his her its their this that these those new old whole other same another
  first second third small big large next last own entire local current former each every any no
  some core full hiring dear best great good right wrong open box present in of at for with and or
  back front home head age blood focus control target user peer support-only main all two three
  four five head post post- our free late early busy tiny real young senior junior closed
  different mid single whatsapp facebook to from on by we i he she they is are was were has have
  about dev-only such what which whose`);

/** Departments that are capitalised and without a modifier. */
export const departmentNames = wordSet(`
  accounting finance marketing sales legal hr it ops operations comms communications research
  engineering procurement purchasing logistics payroll compliance treasury controlling facilities
  security support pharmacy radiology oncology cardiology neurology pediatrics paediatrics
  surgery trauma maternity admissions dermatology biostatistics pathology anaesthesia orthopaedics
  urology psychiatry haematology graphics editorial design product qa devops infra
  infrastructure platform growth risk audit tax claims underwriting actuarial regulatory ehs
  catering
  housekeeping reception maintenance dispatch warehouse fulfilment manufacturing quality
  merchandising partnerships recruiting recruitment analytics customer-care registry billing
  fundraising outreach admin administration sre backend frontend mobile data bi r&d pr`);

/** Second words of departments: "People Ops", "Retail IT". */
export const departmentHeadNouns = wordSet(`
  ops it hr care services analytics engineering operations relations affairs success experience
  support safety desk development science marketing sales finance security planning procurement
  computing training`);

/** Organisations without a head noun. */
export const organizationNames = phraseSet(`
  google, apple, microsoft, amazon, meta, facebook, netflix, nvidia, intel, amd, arm, qualcomm
  broadcom, ibm, oracle, cisco, dell, hp, hewlett packard, lenovo, asus, acer, samsung, lg, sony
  panasonic, hitachi, toshiba, fujitsu, nec, sharp, canon, nikon, ricoh, epson, xerox, philips
  siemens, siemens healthineers, siemens energy, bosch, sap, deutsche telekom, telekom, vodafone
  orange, telefonica, at&t, verizon, t-mobile, comcast, ericsson, nokia, huawei, xiaomi, tencent
  alibaba, baidu, bytedance, jd.com, meituan, foxconn, tsmc, asml, infineon, stmicroelectronics
  nxp, micron, texas instruments, stripe, paypal, square, block, klarna, adyen, wise, revolut, n26
  monzo, starling, visa, mastercard, american express, amex, jpmorgan, jp morgan, goldman sachs
  morgan stanley, citi, citibank, bank of america, wells fargo, hsbc, barclays, lloyds, natwest
  santander, bbva, bnp paribas, societe generale, credit suisse, ubs, deutsche bank, commerzbank
  ing, rabobank, abn amro, nordea, danske bank, unicredit, intesa sanpaolo, sberbank, allianz, axa
  zurich insurance, munich re, swiss re, generali, aviva, prudential, deloitte, pwc, kpmg, ey
  ernst & young, mckinsey, bcg, bain, accenture, capgemini, infosys, wipro, tata, reliance, tcs
  thoughtworks, atlassian, shopify, salesforce, adobe, autodesk, uber, lyft, airbnb, booking
  booking.com, expedia, doordash, deliveroo, instacart, grab, gojek, zalando, otto, ebay, etsy
  ikea, h&m, zara, inditex, uniqlo, nike, adidas, puma, decathlon, walmart, target, costco, tesco
  sainsbury's, asda, waitrose, aldi, lidl, rewe, edeka, carrefour, auchan, migros, coop, spar
  nestle, unilever, danone, coca-cola, pepsi, pepsico, mars, kraft heinz, heineken, carlsberg
  guinness, diageo, starbucks, mcdonald's, burger king, kfc, subway, lufthansa, lufthansa technik
  ryanair, easyjet, british airways, air france, klm, emirates, qantas, delta, united, boeing
  airbus, rolls-royce, safran, thales, leonardo, bae systems, lockheed martin, raytheon, spacex
  blue origin, nasa, esa, cern, darpa, nato, un, unicef, unesco, unhcr, who, wto, imf, world bank
  eu, european union, european commission, ecb, opec, fifa, uefa, ioc, nba, nfl, bbc, cnn, nhs, fbi
  cia, gchq, irs, fda, ema, cdc, epa, dhl, fedex, ups, maersk, deutsche bahn, db, sncf, sbb, obb
  amtrak, hetzner, ovh, cloudflare, fastly, digitalocean, backblaze, akamai, rackspace, linode
  mozilla, canonical, red hat, suse, docker inc, hashicorp, elastic, mongodb inc, confluent
  jetbrains
  gitlab inc, github inc, automattic, valve, nintendo, sega, ubisoft, electronic arts, rockstar
  blizzard, activision, bethesda, disney, pixar, warner, universal, paramount, hbo, spotify ab
  toyota, honda, nissan, mazda, subaru, hyundai, kia, volkswagen, audi, bmw, mercedes, mercedes-benz
  daimler, porsche, ferrari, fiat, stellantis, renault, peugeot, volvo, scania, tesla, ford, gm
  general motors, general electric, ge, caterpillar, john deere, 3m, honeywell, abb, schneider
  schneider electric, alstom, bombardier, shell, bp, exxon, exxonmobil, chevron, total
  totalenergies, eni, equinor, statoil, vattenfall, eon, e.on, rwe, enel, iberdrola, orsted, vestas
  roche, novartis, pfizer, merck, bayer, basf, astrazeneca, gsk, sanofi, johnson & johnson, abbvie
  eli lilly, lilly, novo nordisk, moderna, biontech, amgen, gilead, medtronic, drager, fresenius
  baxter, harvard, stanford, yale, princeton, mit, caltech, berkeley, oxford, cambridge university
  eth, eth zurich, epfl, tu delft, tum, tu berlin, kth, chalmers, imperial college, ucl, lse, kcl
  sorbonne, karolinska, charite, max planck, fraunhofer, oxfam, greenpeace, amnesty, red cross, msf
  wwf, caritas, save the children, wikipedia, wikimedia, reuters, bloomberg, the guardian, guardian
  the new york times, new york times, washington post, le monde, der spiegel, spiegel, the economist
  financial times, openai, anthropic, deepmind, mistral ai, palantir, snowflake inc, uipath, celonis
  personio, n26, delivery hero, hellofresh, flixbus, blablacar, trivago, fairphone, ifixit
  patagonia
  lego group, lonza, holcim, glencore, rio tinto, bhp, vale, arcelormittal, thyssenkrupp, acme
  initech, globex, hooli, contoso, kahoot, spotify, real madrid, bayern, arsenal, chelsea, barca`);
