import { phraseSet, wordSet } from './word-lists.ts';

/** Products: software, online services, devices, cars, drugs. */
export const productNames = phraseSet(`
  postgres, postgresql, mysql, mariadb, sqlite, oracle database, mongodb, redis, valkey, memcached
  cassandra, scylladb, dynamodb, couchdb, neo4j, clickhouse, duckdb, snowflake, bigquery, redshift
  databricks, elasticsearch, opensearch, solr, lucene, meilisearch, typesense, algolia, qdrant
  pinecone, weaviate, milvus, pgvector, chroma, kafka, rabbitmq, nats, pulsar, activemq, zeromq
  kubernetes, docker, docker compose, podman, helm, istio, envoy, linkerd, consul, vault, nomad
  terraform, opentofu, pulumi, ansible, puppet, chef, saltstack, vagrant, packer, nginx, apache
  caddy, traefik, haproxy, varnish, jenkins, circleci, travis ci, teamcity, buildkite, argo cd
  argocd, tekton, github actions, gitlab ci, github, gitlab, bitbucket, gitea, forgejo, gerrit
  jira, confluence, trello, asana, linear, notion, obsidian, evernote, roam, monday.com, clickup
  basecamp, airtable, miro, figma, sketch, invision, zeplin, canva, photoshop, illustrator
  indesign, lightroom, premiere, final cut, final cut pro, davinci resolve, after effects, blender
  maya, houdini, cinema 4d, autocad, solidworks, fusion 360, rhino, revit, sketchup, freecad, kicad
  altium, eagle, affinity designer, affinity photo, gimp, inkscape, krita, procreate, scrivener
  slack, teams, microsoft teams, zoom, google meet, webex, discord, mattermost, rocket.chat, zulip
  telegram, whatsapp, signal, skype, viber, wechat, matrix, element, facetime, imessage, messenger
  outlook, gmail, thunderbird, protonmail, fastmail, exchange, excel, word, powerpoint, onenote
  onedrive, sharepoint, office 365, microsoft 365, google docs, google sheets, google drive
  google calendar, google analytics, google maps, google cloud, dropbox, box, nextcloud, libreoffice
  salesforce, hubspot, zendesk, intercom, freshdesk, pipedrive, zoho, marketo, mailchimp, sendgrid
  twilio, segment, amplitude, mixpanel, posthog, plausible, matomo, tableau, looker, power bi
  metabase, superset, grafana, prometheus, datadog, new relic, splunk, sentry, pagerduty, opsgenie
  kibana, logstash, loki, jaeger, opentelemetry, honeycomb, nagios, zabbix, icinga, sap, s/4hana
  netsuite, workday, xero, quickbooks, datev, sage, lexware, stripe checkout, shopify, magento
  woocommerce, wordpress, drupal, joomla, typo3, contentful, strapi, sanity, ghost, wix, squarespace
  webflow, moodle, canvas, blackboard, overleaf, latex, zotero, mendeley, endnote, jupyter
  pandas, numpy, scipy, pytorch, tensorflow, keras, scikit-learn, spark, airflow, dagster, prefect
  dbt, flink, hadoop, hive, trino, presto, mlflow, hugging face, chatgpt, gpt-4, claude, copilot
  gemini, llama, mistral, midjourney, stable diffusion, whisper, cursor, ollama, langchain
  react, react native, angular, vue, svelte, next.js, nuxt, remix, astro, ember, jquery, express
  fastify, django, flask, fastapi, rails, ruby on rails, laravel, symfony, spring, spring boot
  node, node.js, deno, bun, npm, yarn, pnpm, webpack, vite, rollup, esbuild, babel, eslint
  prettier, jest, vitest, cypress, playwright, selenium, storybook, tailwind, bootstrap, flutter
  electron, unity, unreal, unreal engine, godot, xcode, android studio, visual studio, vs code
  vscode, intellij, pycharm, webstorm, goland, eclipse, neovim, vim, emacs, sublime text, atom
  tmux, zsh, bash, fish, powershell, iterm, git, mercurial, svn, subversion, perforce, gradle, maven
  bazel, cmake, poetry, pandoc, ffmpeg, imagemagick, homebrew, conda, linux, ubuntu, debian, fedora
  arch linux, red hat, rhel, centos, alpine, nixos, freebsd, windows, windows 10, windows 11, macos
  ios, ipados, android, chromeos, chrome, firefox, safari, edge, brave, opera, postgis, qgis, arcgis
  mapbox, leaflet, openstreetmap, aws, azure, gcp, s3, ec2, lambda, cloudfront, cloudflare workers
  heroku, vercel, netlify, fly.io, render, supabase, firebase, digitalocean, openshift, vmware
  proxmox, truenas, unraid, home assistant, zigbee2mqtt, pi-hole, wireguard, openvpn, tailscale
  1password, bitwarden, lastpass, keepass, okta, auth0, keycloak, lets encrypt, let's encrypt
  matlab, simulink, labview, stata, spss, sas, rstudio, mathematica, minitab, comsol, ansys
  postman, insomnia, swagger, graphql, grpc, openapi, rest, kong, hasura, prisma, drizzle, kysely
  docusign, adobe sign, calendly, loom, typeform, surveymonkey, google forms, zapier, n8n, make
  spotify, netflix, youtube, twitch, tiktok, instagram, facebook, twitter, linkedin, reddit
  mastodon, bluesky, pinterest, snapchat, audible, kindle, goodreads, strava, duolingo, anki
  audacity, ableton, ableton live, logic pro, pro tools, cubase, fl studio, reaper, garageband
  qlab, musescore, sibelius, finale, obs, vlc, plex, jellyfin, kodi, sonos, iphone, ipad, ipod
  macbook, macbook pro, macbook air, imac, mac mini, apple watch, airpods, vision pro, pixel
  galaxy, thinkpad, surface, chromebook, xps, playstation, ps5, ps4, xbox, nintendo switch
  steam deck, wii, oculus, quest, gopro, raspberry pi, raspberry, arduino, esp32, roomba, thermomix
  nespresso, instant pot, fitbit, garmin, alexa, siri, cortana, echo dot, chromecast, nest, hue
  prius, corolla, yaris, camry, civic, accord, golf, passat, polo, tiguan, multipla, panda, punto
  clio, megane, twingo, zoe, kangoo, berlingo, fiesta, mondeo, mustang, f-150, transit, sprinter
  vito, transporter, model 3, model y, model s, cybertruck, leaf, qashqai, micra, octavia, fabia
  cayenne, land cruiser, hilux, defender, wrangler, vespa, brompton, boeing 737, boeing 747
  airbus a320, a380, cessna 172, aspirin, ibuprofen, paracetamol, acetaminophen, tylenol, advil
  penicillin, amoxicillin, metformin, insulin, ozempic, wegovy, mounjaro, humira, keytruda, xarelto
  warfarin, heparin, morphine, fentanyl, ketamine, propofol, prozac, zoloft, ritalin, adderall
  ventolin, salbutamol, cortisone, prednisone, prednisolone, methotrexate, tamoxifen, nivolumab
  pembrolizumab, rituximab, atorvastatin, simvastatin, lisinopril, ramipril, bisoprolol, omeprazole
  pantoprazole, levothyroxine, naloxone, botox, comirnaty, paxlovid, tamiflu, lego, playmobil
  minecraft, fortnite, tetris, catan, roblox, postman, dhis2, redcap, openmrs, koha, dspace, epic
  cerner, orbis, openemr, sap hana, moodle, starlink, metatrader, bloomberg terminal
  refinitiv eikon, tradingview, revolut app, paypal, apple pay, google pay, venmo, bitcoin, ethereum
  koa, hono, nestjs, rxjs, redux, zod, trpc, htmx, alpine.js, three.js, d3, d3.js, chart.js
  datawrapper, flourish, plotly, shiny, streamlit, gradio, kdenlive, ardour, lilypond, festo
  uv, ruff, mypy, pytest, celery, gunicorn, sqlalchemy, numba, cython, ray, dask, polars, arrow
  solidjs, preact, qwik, backstage, unleash, launchdarkly, growthbook, statsig, optimizely
  hotjar`);

/** Products whose lower-case form is not a common English word. */
export const lowercaseProductNames = wordSet(`
  postgres postgresql mysql mariadb sqlite mongodb redis memcached cassandra dynamodb clickhouse
  duckdb bigquery redshift elasticsearch opensearch kafka rabbitmq kubernetes docker podman
  terraform ansible nginx haproxy traefik jenkins github gitlab bitbucket jira trello asana figma
  canva photoshop inkscape gimp blender autocad slack whatsapp gmail powerpoint dropbox
  salesforce hubspot zendesk mailchimp twilio datadog splunk grafana prometheus quickbooks xero
  shopify wordpress drupal latex zotero jupyter pandas numpy pytorch tensorflow dbt airflow chatgpt
  vscode neovim vim emacs tmux zsh powershell linux ubuntu debian macos android iphone ipad macbook
  spotify netflix youtube tiktok instagram facebook linkedin reddit duolingo strava paypal webpack
  vite eslint npm pnpm postgis qgis aws azure gcp heroku vercel supabase firebase wireguard
  ibuprofen
  paracetamol metformin nivolumab amoxicillin pandoc ffmpeg uv kubectl sqlalchemy pytest mypy nodejs
  nivolumab pembrolizumab insulin warfarin lego minecraft playstation xbox chromebook raspberry`);

/** Makers whose name before another name or number forms a product: "Toyota Yaris". */
export const productMakers = wordSet(`
  toyota nissan honda mazda subaru mitsubishi suzuki hyundai kia ford chevrolet chevy dodge jeep
  tesla volkswagen vw audi bmw mercedes opel skoda seat fiat peugeot renault citroen dacia volvo
  saab porsche ferrari lada jaguar triumph ducati yamaha kawasaki apple google microsoft samsung
  huawei xiaomi nokia motorola sony lg panasonic canon nikon leica fujifilm olympus epson brother
  lenovo dell hp asus acer garmin fitbit bose philips siemens bosch miele dyson celestron zeiss
  nintendo adobe steinway fender gibson roland korg casio trek giant specialized cannondale
  singer pfaff bernina husqvarna stihl makita dewalt festool butterfly fresenius boeing airbus
  cessna piper citizen seiko rolex deere claas fendt komatsu kubota caterpillar vauxhall mini`);

/** Head nouns that make the name before them a product: "the Signal bridge", "Kafka cluster". */
export const productHeadNouns = wordSet(`
  app apps bridge gateway plugin plug-in extension library framework sdk suite terminal console
  phone laptop tablet printer printers scanner camera projector drone watch
  headset car van truck bus tractor bike motorbike scooter drill oven mixer ventilator ventilators
  machine machines monitor monitors pump pumps stent implant tablets vaccine engine compiler
  database dashboard client firmware toolkit cli ide editor os browser crm erp synthesizer`);
