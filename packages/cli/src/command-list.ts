/** The commands of the first level as people look for them: groups, names, summaries. */
interface CommandGroup {
  readonly heading: string;
  /** Summaries by name. */
  readonly commands: Readonly<Record<string, string>>;
}

export const commandGroups: readonly CommandGroup[] = [
  {
    heading: 'Start here:',
    commands: {
      login: 'store the URL and the key of a server',
      add: 'store a memory: a text, or a file of text, audio or video',
      search: 'find memories by meaning and by words',
      recall: 'build a context for a prompt from relevant memories',
    },
  },
  {
    heading: 'Memories:',
    commands: {
      memories: 'list, read, change, pin, delete and erase memories',
      spaces: 'separate areas of memories',
      sessions: 'conversations, projects and tasks with their memories',
      activations: 'which memories were used together',
      relationships: 'links between memories',
      knowledge: 'entities, facts and their graph',
      clusters: 'groups of similar memories',
      media: 'recordings, videos, transcripts and uploads',
      presets: 'stored settings of a search',
    },
  },
  {
    heading: 'Events and mail:',
    commands: {
      events: 'list the events of the last 30 days, oldest first',
      webhooks: 'calls of your URLs on events',
      deliveries: 'the deliveries of a webhook; pause and resume all',
      mail: 'the mail address, received mail, senders, reactions, digests',
      jobs: 'long-running work: read, wait, cancel, retry',
      transfers: 'the progress and the report of an import',
    },
  },
  {
    heading: 'Account and access:',
    commands: {
      export: 'save the account, a space or a user as a portable archive',
      account: 'show the account of the key with its limits and usage',
      keys: 'manage API keys',
      tokens: 'short-lived session tokens',
      grants: 'what OAuth clients were allowed: list and revoke',
      profiles: 'stored servers and keys: list, use, delete',
      logout: 'delete a stored key',
    },
  },
  {
    heading: 'For the operator:',
    commands: {
      health: 'show the health of the service',
      doctor: 'show what is wrong with the service and its data (operator)',
      verify: 'check derived data and counters, without downtime (operator)',
      backup: 'save the whole installation as one archive (operator)',
      restore: 'restore a backup into an empty data folder (on the server)',
      worker: 'run jobs, webhook calls and mail apart from the API (on the server)',
      move: 'move all data to a PostgreSQL server, or back (on the server)',
      distribute: 'distribute the data over the nodes of a Citus cluster (on the server)',
      accounts: 'manage accounts (operator)',
      models: 'list, install, test and use embedding models (operator)',
      operations: 'health, verification, diagnosis, erasures, OpenAPI document',
      reembed: 'change all accounts to the configured embedding model (operator)',
      erasures: 'list permanent erasures, newest first: ids and times (operator)',
      queues: 'the queues of jobs: list, pause, resume (operator)',
      'pause-deliveries': 'queue webhook calls and mail of all accounts (operator)',
      'resume-deliveries': 'send queued webhook calls and mail again (operator)',
    },
  },
  {
    heading: 'More:',
    commands: {
      eval: 'measure the search with your own questions, against the last run',
      setup: 'add Mneme to the configuration of a coding agent, or remove it',
      import: 'import chats, notes and memories of other programs, transcripts, archives',
      mcp: 'connect an MCP client over stdio',
      api: 'send any request to the API',
      completion: 'print a completion script for bash, zsh or fish',
      man: 'print the manual page',
      help: 'show the help of a command',
    },
  },
];
