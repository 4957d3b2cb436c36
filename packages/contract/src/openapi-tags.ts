/** Descriptions of the groups of routes, by the area of their ids. */
export const openApiTagDescriptions: Readonly<Record<string, string>> = {
  memories:
    'Store, read, change and delete memories, one at a time or up to 100 in one request. ' +
    'Also topics, summaries and quality scores of single memories.',
  media:
    'Upload audio and video, play them, and read their transcripts and key frames. ' +
    'Large files can be uploaded in parts with the tus protocol.',
  relationships:
    'Link memories by typed, weighted relationships, and find what is related to a memory. ' +
    'The weight of a relationship decays unless it is used.',
  knowledge:
    'Read and correct the people, places and things that memories mention, with the facts about ' +
    'them. Facts keep their history, so you can query what was known at a point in time.',
  clusters:
    'Group related memories, manually or with a clustering run. Runs are jobs: start one, then ' +
    'read its status.',
  search:
    'Find memories by meaning, words and filters, and build a context for a prompt with /recall. ' +
    'Pipelines are named search settings; an account can define its own.',
  spaces:
    'Divide the memories of an account into named spaces. ' +
    'An API key can be limited to some of them.',
  cliSessions:
    'Record work, such as a conversation in a terminal, as a session with messages. A session ' +
    'can be paused, resumed, completed and archived.',
  sessions:
    'Read which memories were found together by searches with the same session key. The service ' +
    'opens and closes these activation sessions automatically.',
  account:
    'Read the account of the API key: plan, limits, usage and settings. The audit log lists the ' +
    'changes of the account and its keys.',
  auth:
    'Exchange an API key for short-lived session tokens, for example for a browser. ' +
    'Tokens can be listed and revoked.',
  keys:
    'Create, list, rotate and revoke the API keys of an account. ' +
    'Scopes and spaces limit what a key can do.',
  grants: 'List and revoke what people allowed OAuth clients, such as connectors of assistants.',
  admin:
    'Operate the installation: accounts, backups, consistency checks, and changes of the ' +
    'embedding model. These routes require a key with the scope operator.',
  transfers:
    'Export an account, a space or a user as a portable archive, and import such an archive into ' +
    'this or another account.',
  email:
    'Store email as memories, and send email about memories. Rules decide which senders are ' +
    'accepted; reactions and digests send email on events or on a schedule.',
  webhooks:
    'Send signed events to your own HTTP endpoint, with retries. Deliveries can be inspected, ' +
    'retried and replayed.',
  operations:
    'Check the health and readiness of the service, and download this document. These routes ' +
    'require no API key.',
  jobs: 'Track background jobs, such as an enrichment or a clustering run.',
  events:
    'Read the events of the account in order of commit. List past events, or receive new ones as ' +
    'a stream of server-sent events.',
};

/** Display names of the areas whose id is not a plain word. */
export const openApiTagNames: Readonly<Record<string, string>> = {
  cliSessions: 'CLI sessions',
  sessions: 'activation sessions',
  keys: 'API keys',
  grants: 'OAuth grants',
};
