import { phraseSet, wordSet } from './word-lists.ts';

/** Countries, regions, continents, waters and districts that lists of cities do not contain. */
export const regions = phraseSet(`
  afghanistan, albania, algeria, andorra, angola, argentina, armenia, australia, austria
  azerbaijan, bahamas, bahrain, bangladesh, barbados, belarus, belgium, belize, benin, bhutan
  bolivia, bosnia, herzegovina, botswana, brazil, brunei, bulgaria, burkina faso, burundi, cambodia
  cameroon, canada, cape verde, chad, chile, china, colombia, congo, costa rica, croatia, cuba
  cyprus, czechia, czech republic, denmark, djibouti, dominican republic, ecuador, egypt
  el salvador, eritrea, estonia, eswatini, ethiopia, fiji, finland, france, gabon, gambia, germany
  ghana, greece, greenland, grenada, guatemala, guinea, guyana, haiti, honduras, hong kong, hungary
  iceland, india, indonesia, iran, iraq, ireland, israel, italy, ivory coast, jamaica, japan, jordan
  kazakhstan, kenya, kosovo, kuwait, kyrgyzstan, laos, latvia, lebanon, lesotho, liberia, libya
  liechtenstein, lithuania, luxembourg, macau, madagascar, malawi, malaysia, maldives, mali, malta
  mauritania, mauritius, mexico, moldova, monaco, mongolia, montenegro, morocco, mozambique, myanmar
  namibia, nepal, netherlands, new zealand, nicaragua, niger, nigeria, north macedonia, norway, oman
  pakistan, palestine, panama, papua new guinea, paraguay, peru, philippines, poland, portugal
  puerto rico, qatar, romania, russia, rwanda, samoa, saudi arabia, scotland, senegal, serbia
  seychelles, sierra leone, singapore, slovakia, slovenia, somalia, south africa, south korea, korea
  south sudan, spain, sri lanka, sudan, suriname, sweden, switzerland, syria, taiwan, tajikistan
  tanzania, thailand, togo, tonga, trinidad, tunisia, turkey, turkmenistan, uganda, ukraine, uae
  united arab emirates, united kingdom, uk, england, wales, northern ireland, britain, great britain
  united states, usa, us, u.s., america, uruguay, uzbekistan, vanuatu, vatican, venezuela, vietnam
  yemen, zambia, zimbabwe, europe, asia, africa, north america, south america, latin america
  antarctica, oceania, middle east, scandinavia, balkans, benelux, siberia, caucasus, maghreb
  alabama, alaska, arizona, arkansas, california, colorado, connecticut, delaware, florida, georgia
  hawaii, idaho, illinois, indiana, iowa, kansas, kentucky, louisiana, maine, maryland
  massachusetts
  michigan, minnesota, mississippi, missouri, montana, nebraska, nevada, new hampshire, new jersey
  new mexico, new york, north carolina, north dakota, ohio, oklahoma, oregon, pennsylvania
  rhode island, south carolina, south dakota, tennessee, texas, utah, vermont, virginia
  west virginia, wisconsin, wyoming, ontario, quebec, british columbia, alberta, manitoba
  saskatchewan, nova scotia, newfoundland, yukon, nunavut, new south wales, queensland, tasmania
  south australia, western australia, bavaria, saxony, hesse, thuringia, brandenburg, westphalia
  swabia, baden, saarland, holstein, tyrol, carinthia, styria, vorarlberg, provence, brittany
  normandy, alsace, lorraine, burgundy, occitanie, corsica, catalonia, andalusia, galicia, asturias
  basque country, navarre, extremadura, tuscany, umbria, lombardy, piedmont, liguria, veneto, sicily
  sardinia, calabria, puglia, campania, flanders, wallonia, friesland, zeeland, gelderland, jutland
  skane, lapland, dalarna, gotland, finnmark, transylvania, moravia, bohemia, silesia, galilee
  cornwall, devon, kent, sussex, essex, surrey, yorkshire, lancashire, cumbria, norfolk, suffolk
  dorset, somerset, wiltshire, northumberland, orkney, shetland, hebrides, skye, kerry, galway
  donegal, connemara, kerala, punjab, goa, gujarat, rajasthan, tamil nadu, karnataka, assam, bengal
  kashmir, bali, sumatra, borneo, hokkaido, honshu, kyushu, okinawa, sichuan, yunnan, tibet
  xinjiang, jeju, mindanao, luzon, punjab, sindh, crete, rhodes, cyclades, corfu, azores, madeira
  canary islands, tenerife, mallorca, menorca, ibiza, zanzibar, patagonia, amazonia, bahia, yucatan
  oaxaca, jalisco, chiapas, caribbean, mediterranean, baltic, baltic sea, north sea, black sea
  red sea, atlantic, pacific, indian ocean, danube, rhine, elbe, thames, seine, rhone, loire, tagus
  ebro, tiber, vistula, oder, volga, dnieper, nile, congo river, niger river, zambezi, amazon river
  mississippi river, ganges, indus, mekong, yangtze, alps, pyrenees, carpathians, himalayas, andes
  rocky mountains, rockies, appalachians, urals, dolomites, black forest, sahara, gobi, kalahari
  outback, lake district, peak district, silicon valley, bay area, wall street, manhattan, brooklyn
  queens, bronx, harlem, staten island, hollywood, soho, shoreditch, camden, hackney, brixton
  islington, putney, southwark, greenwich, notting hill, mayfair, westminster, kreuzberg, neukolln
  prenzlauer berg, mitte, charlottenburg, friedrichshain, wedding district, montmartre, marais
  belleville, trastevere, galata, kadikoy, shibuya, shinjuku, ginza, akihabara, kowloon, pudong
  chelsea district, cupertino, mountain view, palo alto, menlo park, franschhoek, stellenbosch
  old bailey, downing street, broadway, times square, central park, hyde park, dublin 4, nyc, la, sf
  dc, bkk, hk, kl, rio, addis, jo'burg, saint-louis, da nang, merthyr, murrayfield, wembley
  old trafford
  gothenburg, antwerp, geneva, ghent, bruges, zurich, lucerne, basel, bern, cologne, nuremberg
  hanover, brunswick, the hague, copenhagen, florence, venice, turin, genoa, naples, padua, mantua
  seville, saragossa, cordoba, lisbon, porto, oporto, queretaro, mexico city, guatemala city
  panama city, krakow, cracow, warsaw, wroclaw, gdansk, lodz, pilsen, bratislava, bucharest, athens
  heraklion, chania, patras, kyiv, kiev, lviv, odesa, odessa, kharkiv, st petersburg, tbilisi
  yerevan, baku, jerusalem, tel aviv, haifa, beirut, damascus, aleppo, cairo, alexandria, luxor
  marrakesh, marrakech, fez, tangier, tunis, algiers, oran, tripoli, kumasi, abuja, thies, bamako
  ouagadougou, abidjan, mombasa, kigali, dar es salaam, addis ababa, khartoum, cape town
  johannesburg, bombay, new delhi, bangalore, calcutta, madras, rangoon, saigon
  ho chi minh city, hue, phnom penh, luang prabang, chiang mai, phuket, penang, yogyakarta
  denpasar, cebu, peking, canton, xian, lhasa, ulaanbaatar, st gallen, st. gallen, salonica
  dusseldorf, munich, vienna, salzburg, graz, innsbruck, prague, budapest, szeged, pecs, belgrade
  novi sad, zagreb, split, dubrovnik, sarajevo, mostar, skopje, tirana, pristina, podgorica
  vilnius, kaunas, riga, tallinn, tartu, turku, tampere, oulu, rovaniemi, tromso, trondheim
  stavanger, reykjavik, akureyri, malmo, uppsala, aarhus, odense, cork, limerick, belfast, derry
  cardiff, swansea, edinburgh, glasgow, aberdeen, inverness, dundee, leeds, york, bath, bristol
  oxford, cambridge, st andrews, durham, loch ness, ben nevis, snowdonia, mont blanc, matterhorn
  kilimanjaro, everest, mount fuji, vesuvius, etna, lake como, lake constance, lake geneva
  lake garda
  lake victoria, lake tahoe, lake michigan, lake ontario, sahel, serengeti, kruger, yosemite
  yellowstone, grand canyon, algarve, alentejo, neretva, douro, po valley, costa brava, riviera
  cote d'azur, cinque terre, amalfi, capri, santorini, mykonos, paros, naxos, lesbos, gozo
  lofoten, svalbard, faroe islands, isle of man, jersey, guernsey, gibraltar, bosporus, anatolia
  cappadocia, kurdistan, negev, golan, sinai, gaza, west bank, hejaz, dubai, abu dhabi, doha, muscat
  anfield, twickenham, lords, camp nou, silverstone, monza, heathrow, gatwick, schiphol`);

/** Last words of place names. */
export const placeHeadNouns = wordSet(`
  street st road rd avenue ave lane square plaza piazza platz place boulevard blvd drive court alley
  quay bridge park garden gardens forest wood woods hill hills mountain mountains peak valley canyon
  river lake sea ocean bay beach coast island islands isle peninsula desert falls glacier
  cathedral abbey castle palace tower airport station harbour harbor port terminal stadium arena
  market-hall quarter district county province state village town city heights springs creek canal
  cemetery reservoir fjord lagoon marina pier allee strasse gasse terrace
  crescent mews row walk canning feld field fields heath moor downs hall house`);

/** Suffixes of street names: "Lindenstraße", "Vestergade". */
export const streetSuffixPattern = new RegExp(
  '[\\p{L}-]{3}(?:stra(?:ß|ss)e|allee|gasse|gade|vej|gatan|gata|straat|laan|gracht|plein|platz|' +
    'ufer|damm|weg)$',
  'u',
);
