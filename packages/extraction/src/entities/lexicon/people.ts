import { wordSet } from './word-lists.ts';

export const honorifics = wordSet(`
  mr mrs ms miss mx dr prof professor doctor sir madam dame lord lady sr sister brother fr father
  rev reverend pastor imam rabbi herr frau fraulein monsieur madame mme mlle signor signora senor
  senora don dona dom mevrouw meneer capt captain major colonel sergeant lieutenant general
  judge justice hon president chancellor senator governor king queen prince princess
  sra pan pani doamna hr fru aunt auntie uncle grandma grandpa granny cllr councillor coach nurse
  chef sheikh mayor detective inspector minister cousin`);

/** Lower-case words between the parts of a name. */
export const nameParticles = wordSet(`
  de del della dello di da dos das du van von der den ter ten zu zur al el bin ibn bint ben la le
  am sur bei y e af av ap abu dal des ur ul ud uz`);

/** Family relationships. */
export const kinshipTerms = wordSet(`
  mother mom mum mama mam father dad papa pa brother bro sister sis son daughter child kid kids
  husband wife spouse partner fiance fiancee fiancée fiancé boyfriend girlfriend uncle aunt auntie
  cousin nephew niece grandmother grandfather grandma grandpa gran granny nana granddad grandad
  grandson granddaughter grandchild brother-in-law sister-in-law mother-in-law father-in-law
  son-in-law daughter-in-law stepmother stepfather stepbrother stepsister stepson stepdaughter
  godfather godmother godson goddaughter twin sibling siblings parents parent ex ex-wife ex-husband
  neighbour neighbor landlord landlady tenant mentor mentee godchild roommate flatmate housemate
  widow widower in-laws`);

export const friends = wordSet(`
  friend friends mate buddy pal acquaintance classmate schoolmate bestie penpal`);

/** People that one reports to. */
export const superiors = wordSet(`
  boss manager supervisor superior lead chief`);

/** People that report to one. */
export const subordinates = wordSet(`
  assistant deputy intern trainee apprentice secretary report subordinate pa`);

export const colleagues = wordSet(`
  colleague colleagues coworker co-worker coworkers teammate co-author coauthor cofounder co-founder
  collaborator`);

/** Roles, before or after a name: "plumber Gus", "Omar, the drummer". */
export const roleNouns = wordSet(`
  teacher tutor trainer coach instructor professor lecturer student pupil headteacher principal dean
  doctor nurse surgeon dentist vet physio physiotherapist therapist midwife paramedic pharmacist
  optician cardiologist oncologist radiologist paediatrician pediatrician psychologist
  psychiatrist gp registrar consultant engineer developer programmer designer architect analyst
  scientist researcher postdoc technician mechanic plumber electrician carpenter joiner roofer
  painter gardener builder mason welder potter baker chef cook waiter waitress barista bartender
  butcher farmer shepherd fisherman driver pilot captain sailor skipper conductor guard
  policeman officer detective firefighter soldier lawyer attorney solicitor barrister notary judge
  accountant auditor bookkeeper banker broker trader economist actuary buyer seller salesman
  saleswoman salesperson rep representative agent clerk receptionist cashier librarian curator
  archivist editor journalist reporter writer author poet translator interpreter photographer
  filmmaker director producer actor actress singer drummer guitarist bassist pianist violinist
  cellist musician composer artist sculptor dancer choreographer comedian host hostess organiser
  organizer founder owner ceo cto cfo coo cio cmo ciso cpo vp president chairman chairwoman chair
  treasurer secretary manager lead leader head supervisor foreman coordinator administrator admin
  recruiter intern trainee apprentice assistant deputy caretaker janitor cleaner nanny babysitter
  landlord landlady tenant astronomer physicist chemist biologist geologist botanist statistician
  mathematician historian philosopher linguist minister mayor senator councillor ambassador
  delegate rapporteur moderator speaker keynote striker goalkeeper defender midfielder captain
  climber runner cyclist swimmer rower jockey referee umpire volunteer maintainer contributor
  reviewer author committer contractor freelancer partner boss sponsor moderator surveyor
  beekeeper brewer winemaker vintner tailor seamstress hairdresser barber florist jeweller
  locksmith undertaker priest vicar monk nun imam rabbi colleague friend`);

/** Verbs whose subject is a person, in the forms that follow a name. */
export const personSubjectVerbs = wordSet(`
  said says thinks thought wants wanted asked asks told tells knows knew likes liked loves loved
  hates
  hated prefers preferred hopes hoped believes feels felt agreed agrees disagreed suggested suggests
  proposed proposes promised complained explained explains mentioned mentions noted reported
  reports presented presents wrote writes replied answered called calls emailed texted pinged
  pointed reminded reviewed reviews approved approves signed signs tested tests checked checks fixed
  merged deployed volunteered offered joined joins left leaves quit resigned retired married moved
  lives lived grew studied studies taught teaches learned learnt learns speaks plays played
  sings sang cooks cooked bakes baked drives drove rides hosts hosted organised organized
  takes took covers covered brings brought sends sent visits visited came comes went goes met
  meets sat sits died owns runs ran leads led manages managed heads founded started works worked
  uses used has had is was will would can could did does gave gives got gets bought sold needs
  needed
  translated invites invited arrives arrived maintains maintained owes found finds handles handled
  swears swore noticed spotted discovered showed shows keeps kept joked laughed cried injured
  steps negotiated follows follows confirmed confirms will doesn isn wasn hasn didn won can't
  built made set drew cut found chose lost broke forgot designed created added raised handed hired
  blames blamed cracked drafted filed fills finished grows makes ordered picked promotes pushed
  refused rents rented rewrote sets shipped speaks spent stopped suggests tried tries turned turns
  answers coaches dances baptised knits fixes retired visits trains trained studied mentors swapped
  moved prefers enjoys teaches owns commutes travels flew cycles swims starts stays stayed plans
  planned attends attended helped helps wrote owns paired pairs`);

/** Given names that are not in the packed lists, from many languages. */
export const givenNames = wordSet(`
  tariq tunde rashid rashida hamza karim nadia nadir leila layla yusuf yousef youssef omar amina
  aisha ayesha fatima fatou fatoumata mariam maryam zainab zahra salma samira samir khalid khaled
  walid farid farida jamal jamila rania hana hanan huda imad ziad ramzi rami dina lina mona nour
  noura yara bilal idris ibrahim ismail mustafa mahmoud abdou moussa mamadou ousmane oumar binta awa
  aminata kofi kwame kwabena kwesi yaw akosua ama abena esi efua adjoa chidi chika chinedu chioma
  emeka ngozi nkechi obinna uche ifeoma adaeze adaora ade tayo femi folake bola bukola segun sola
  yemi kunle wanjiku wanjiru njeri kamau otieno achieng juma zuri asha baraka neema imani kiprop
  thabo sipho zanele nomsa lerato naledi tendai rudo farai chipo tariro ravi priya anjali rohan
  arjun meera nisha sunita deepa deepak vikram sanjay suresh ramesh lakshmi kavita neha pooja
  rahul ritu shreya swati tanvi aarav ishaan kiran asif imran bushra sana saira rukhsana tahir
  zubair
  ayaan tenzin pema dorji karma sonam hiroshi kenji yuki aiko haruto sakura naoki emi takumi mei
  wei ling jing hui xin yan min-jun ji-woo soo-yeon hyun-jae minh linh thuy anh tuan lan hoa hai
  somchai malee nok ploy siti dewi agus budi putri wayan ketut made maricel jun rizal lito
  ingrid astrid sigrid solveig bjork gudrun olafur sunniva sven lars nils anders henrik
  mette kirsten anneke sanne femke joost sjoerd marieke maaike pieter wouter ilse greet elke
  kerstin birgit ulrike friedrich dietrich uwe jorg wiebke hauke fiete merle anke
  camille aurelie solene gwenaelle yannick maelle loic thibault anouk
  xavi itziar iker ane montse nuria inigo ximena lucia joao ines tiago beatriz vasco rui
  giulia ludovica alessio matteo chiara zsofia istvan eszter gabor agnieszka grzegorz tomasz
  malgorzata wojciech ewa radek zdenek iveta jiri tomas danica zoran ljubica goran dragana vesna
  ioana andrei mihai elena dmitri yevhen oksana taras olena bohdan katya sasha natalia
  giorgi nino tamar ani levon aram siranush elif emre zeynep cem defne burak aylin mehmet
  babak shirin dariush parisa nasrin avi noa yael tamar avital moshe shira leilani keanu
  tevita sione hemi aroha ngaire moana kiri tane saoirse niamh aoife siobhan ciaran declan
  tadhg bronagh eilidh mairi hamish fergus catriona rhys eleri gwen ffion owain carys
  hanneke petronella hedwig nuala bronwen philomena xoan dele bogdan renske marloes temitope
  hortense
  ludmila ragnhild tuulikki ferran svanhild kwabena liudmila thessaly stavros zanele takeshi anselmo
  femke araceli gretchen milica rashad oihana dagmar leif piotr quentin uju finbarr ignatius bettina
  rudiger corinna yolanda ambrose emmerich sundaram gunnhild eskil kaveh yevgeny wendeline philippa
  lucan sigrun cillian fionn tove severin benedikt haruto casimir lennart oyelaran fatoumata
  svetlana
  chidinma joaquim rosalind tamsin yevgenia delphine marguerite leticia cornelius perpetua ludovic
  radomir amara hollis solveig henrike timofey ottilie florian dagny aurelio ximena baltasar mirela
  mehwish gideon arnau maeve ivo wendel aoibhinn stellan priyanka efua pavol marivic asger thandiwe
  ulrike detlef crispin gaspard kjell farouk nadezhda zuleikha theodora bjarte ravindra
  adriana aleksandra alejandra alessandra anneliese annika antje arvid astor augusta aurora azra
  bartholomew bartosz basil beatrix benoit bernadette birgitta bozena branislav brigid bruna
  caoimhe carmela casper cecile celestine celia chandra chantal clemence clement colm concetta
  constance constantin cosima cyril dalia damien danilo dariusz delfina demetrios desmond diarmuid
  dieter dimitri dominika dorothea ebba edda edith edmund edvard eduardo efrain eitan elio eloise
  emeric emilia emilio erik ernst estelle eugenia eunice evangelos fabio fabrizio fabienne felipe
  fernanda filippo finn fiona flavia florence francesca franziska frederik freya gaetan galina
  genevieve gennady georgios geraldine gerda ghislaine gianluca gilles giovanna gisela gonzalo
  graciela greta grigori guadalupe gudrun guillaume gunilla gunther gustav guy haakon hakan hana
  hannelore harald harriet hedda heidi heinrich helga hilde hildegard horst hussein ignacio igor
  ildiko ilona immaculada ines inga irina irma isabela isidora ivana jacek jadwiga jarmila jaroslav
  jerome joachim joanna johanna jolanta jorge josefina juana judit jurgen justyna kaja kalle karim
  karin katarzyna kateryna katja kazimierz kazuo kirsi klara klaus konrad krzysztof laszlo laura
  leandro leonor leopold lidia liv lorena lorenzo lucie luciana ludwig luis luisa lukas lydia maciej
  magda magdalena magnus maksim manuela marcela marcin mariana marianne marit marta martina mathilde
  maurizio maxime mercedes mieke miguel mika mikhail milan milena milos mirjam miroslav monika
  moritz
  nadezda nanami nathalie nikola nikolai nils octavia odile oleg olga ondrej orla oskar paloma paola
  pascal patrik pavel pedro pekka petra pia pilar rafael raimund ramona raquel regina reinhard
  renata
  rikke roberto rodrigo roland roman rosario rosamund roswitha ruben ruta sabine salvatore sandro
  santiago sebastien seppo sergei severine sibylle silke silvia simona siri slavica sofie
  soren stefan
  stefania svein sylvain sylvie tadeusz tarja tatiana teodor teresa terje thea thierry tobias
  torsten
  trygve umberto ursula valentina valeria vanja vera veronika viktor viktoria vincenzo violeta
  virginie
  vladimir walburga wanda werner wilhelmina wolfgang xenia yael yannis yolanda yvette yvonne
  zbigniew
  zdravko zita zlata zofia abdul abdullah adebayo adewale ahmad akira akinyi amara amit ananya anil
  anita anjali aryan ashok babatunde chiamaka chukwuemeka daisuke divya ebele fatima gaurav haruka
  hassan hideo hyejin isha jaya jitendra kabir kamal kaori kavya khadija kiyoshi kunal
  lakshman latifa
  mahesh makena mandla manish manoj masako mbali mehdi mohamed mukesh nabila naveen nikhil nobuhle
  noriko oluwaseun osamu padma pranav prakash rajesh rashmi reza roya sachiko sadia sandile shabnam
  shanti sharmila shu simran sindhu siyabonga soraya sumitra suresh takashi temperance thulani umar
  usha vandana vijay vusi wangari yoko yosef yuto zawadi zodwa
  kasia till duarte gergely malin jelena dermot mischa lorna birk henny jaap lorcan deirdre
  kuba mateja
  zala perla rafal ewelina dorit heike joost anwen rainer ronja milo hilde ingeborg stepan
  paavo tessa
  grigory wenceslas ilkka moritz sorcha ruairi hyacinth lovisa pontus esra zsombor noemi assunta
  nuno paulo otto bea timo aino jari kaisa mikko tove ola rolf bruno hugo noemie henk rosa rosie
  gloria stella frank julia clara dolores marisol esperanza agustin sofia`);
