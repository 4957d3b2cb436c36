/** What the commands are called where the operationId is not what people type. */

/** The noun of an area; by default the area. */
export const nounOfArea: Readonly<Record<string, string>> = {
  cliSessions: 'sessions',
  sessions: 'activations',
  email: 'mail',
  admin: 'operations',
  auth: 'tokens',
  search: 'memories',
};

/** `noun verb` of an operation; by default the verb of the operationId in kebab-case. */
export const commandOfOperation: Readonly<Record<string, string>> = {
  'media.stream': 'media download',
  'media.recordingMetadata': 'media metadata',
  'media.metadata': 'media video-metadata',
  'knowledge.entities': 'knowledge list',
  'clusters.associate': 'clusters add-memory',
  'clusters.dissociate': 'clusters remove-memory',
  'clusters.full': 'clusters run',
  'clusters.incremental': 'clusters run-incremental',
  'search.post': 'memories search',
  'search.batch': 'memories search-batch',
  'search.global': 'memories search-all',
  'search.topic': 'memories by-tag',
  'search.listPresets': 'presets list',
  'search.getPreset': 'presets get',
  'search.putPreset': 'presets put',
  'search.removePreset': 'presets delete',
  'auth.createToken': 'tokens create',
  'auth.renewToken': 'tokens renew',
  'auth.listTokens': 'tokens list',
  'auth.revokeToken': 'tokens revoke',
  'admin.createAccount': 'accounts create',
  'admin.listAccounts': 'accounts list',
  'admin.getAccount': 'accounts get',
  'admin.updateAccount': 'accounts update',
  'admin.deleteAccount': 'accounts delete',
  'admin.createKey': 'accounts create-key',
  'admin.getDiagnosis': 'operations diagnosis',
  'admin.listModels': 'models list',
  'admin.removeModel': 'models remove',
  'admin.startModelTest': 'models start-test',
  'admin.getModelTest': 'models get-test',
  'admin.startReembedding': 'models reembed',
  'admin.getReembedding': 'models get-reembedding',
  'admin.listJobs': 'jobs list-all',
  'admin.retryJob': 'jobs retry-any',
  'admin.listQueues': 'queues list',
  'admin.pauseQueue': 'queues pause',
  'admin.resumeQueue': 'queues resume',
  'admin.pauseDeliveries': 'deliveries pause',
  'admin.resumeDeliveries': 'deliveries resume',
  'email.getAddress': 'mail address',
  'email.listHistory': 'mail list',
  'email.getHistory': 'mail get',
  'email.downloadAttachment': 'mail link-attachment',
  'email.attachmentContent': 'mail attachment-content',
  'email.inbound': 'mail submit',
  'webhooks.listDeliveries': 'deliveries list',
  'webhooks.getDelivery': 'deliveries get',
  'webhooks.retryDelivery': 'deliveries retry',
  'events.stream': 'events follow',
};

/** Operations without a command, and why. */
export const withoutCommand: Readonly<Record<string, string>> = {
  'search.get': 'the search of search.post with its fields in the query: mneme memories search',
  'transfers.export': 'it writes a file: mneme export',
  'transfers.import': 'it reads a file and waits: mneme import archive',
  'admin.export': 'with --account or --all-accounts: mneme export',
  'admin.import': 'with --account or --all-accounts: mneme import archive',
  'admin.getImport': 'the same for the operator: mneme transfers get-import',
  'knowledge.mergeEntities': 'an alias of knowledge.merge: mneme knowledge merge',
};

const aliasesOfCommand: Readonly<Record<string, readonly string[]>> = {
  'memories create': ['add'],
  'knowledge list': ['entities'],
  'sessions post-messages': ['add-messages'],
  'webhooks event-types': ['events'],
  'media download': ['stream'],
  'tokens revoke': ['delete', 'rm'],
};

/** Every command with the verb has these aliases. */
const aliasesOfVerb: Readonly<Record<string, readonly string[]>> = {
  list: ['ls'],
  get: ['show'],
  update: ['edit'],
  delete: ['rm', 'remove'],
};

/** `ls` for `list`, `senders` for `list-senders`. */
export const aliasesOf = (noun: string, verb: string): readonly string[] => [
  ...(aliasesOfVerb[verb] ?? []),
  ...(aliasesOfCommand[`${noun} ${verb}`] ?? []),
  ...(verb.startsWith('list-') ? [verb.slice('list-'.length)] : []),
];

/** Fields that are arguments instead of options; `...` marks one that can be repeated. */
export const argumentFields: Readonly<Record<string, readonly string[]>> = {
  'memories.create': ['content'],
  'memories.bulkCreate': ['memories'],
  'memories.bulkUpdate': ['ids...'],
  'memories.bulkDelete': ['ids...'],
  'memories.bulkTags': ['ids...'],
  'memories.fromMessages': ['messages'],
  'memories.protect': ['protection_level'],
  'memories.startChange': ['action'],
  'search.post': ['q'],
  'search.recall': ['q'],
  'search.batch': ['queries'],
  'search.global': ['q'],
  'search.topic': ['topic'],
  'search.aggregate': ['q'],
  'relationships.create': ['target_id'],
  'relationships.batch': ['relationships'],
  'knowledge.count': ['countable_category'],
  'knowledge.create': ['name'],
  'knowledge.extract': ['memory_id'],
  'knowledge.merge': ['source_id', 'target_id'],
  'knowledge.path': ['from', 'to'],
  'clusters.create': ['name'],
  'clusters.merge': ['source_ids...'],
  'clusters.associate': ['cluster_ids...'],
  'spaces.create': ['name'],
  'cliSessions.create': ['name'],
  'cliSessions.postMessages': ['messages'],
  'admin.createKey': ['name'],
  'keys.create': ['name'],
  'email.addSender': ['email_pattern'],
  'email.checkSender': ['email'],
  'email.createReaction': ['name'],
  'email.createDigest': ['name'],
  'webhooks.create': ['url'],
  'webhooks.bulkCreate': ['webhooks'],
  'webhooks.bulkDelete': ['ids...'],
};

/** Objects whose properties are options of their own. */
export const flattenedFields: Readonly<Record<string, readonly string[]>> = {
  'memories.erase': ['filter'],
  'memories.startChange': ['filter'],
  'memories.bulkUpdate': ['set'],
};

/** Names of options that differ from the field in kebab-case. */
export const flagNames: Readonly<Record<string, string>> = {
  user_id: 'user',
  agent_id: 'agent',
  run_id: 'run',
  relationship_type: 'type',
  session_key: 'session',
};

/** Options that all commands share, or that their code adds. */
export const reservedFlags: readonly string[] = [
  ...['json', 'jsonl', 'profile', 'server', 'pager', 'help', 'yes', 'wait', 'body', 'unset'],
  ...['all', 'output', 'version', 'dry-run'],
];

/** Fields that the code of a command sets. */
export const fieldsOfCode: Readonly<Record<string, readonly string[]>> = {
  'memories.erase': ['dry_run', 'token'],
};

/** The question before commands that cannot be undone; a DELETE without a row asks `Delete …`. */
export const confirmations: Readonly<Record<string, string>> = {
  'memories.remove': 'Permanently delete memory',
  'memories.bulkDelete': 'Permanently delete memory',
  'memories.erase': 'Permanently erase',
  'relationships.remove': 'Delete the {2} relationship from {0} to {1}',
  'knowledge.removeFact': 'Invalidate fact',
  'knowledge.merge': 'Permanently merge entity {0} into {1}',
  'clusters.merge': 'Merge into cluster {0} the clusters {1}',
  'clusters.dissociate': 'Remove memory {0} from cluster {1}',
  'cliSessions.remove': 'Permanently delete, with its memories, session',
  'auth.revokeToken': 'Revoke token',
  'keys.revoke': 'Revoke key',
  'grants.revoke': 'Revoke grant',
  'keys.rotate': 'Rotate the secret of key',
  'admin.deleteAccount': 'Permanently delete, with all its data, account',
  'email.rotateAddress': 'Replace the mail address of the account',
  'email.deactivateAddress': 'Deactivate all mail addresses of the account',
  'email.removeSender': 'Delete the sender rule',
  'email.removeSuppression': 'Send mail again to',
  'email.removeAttachment': 'Permanently delete attachment',
  'webhooks.remove': 'Delete, with its delivery log, webhook',
  'webhooks.bulkDelete': 'Delete, with its delivery log, webhook',
  'media.removeUpload': 'Cancel upload',
};

/** Summaries for people, where that of the contract is about the API. */
export const summaries: Readonly<Record<string, string>> = {
  'memories.list': 'list memories, newest first',
  'memories.erase': 'permanently erase all memories that match; counts and asks first',
  'search.post': 'find memories by meaning and by words',
  'media.stream': 'save a recording, whole or a range of its bytes',
  'media.video': 'save a video, whole or a range of its bytes',
  'media.thumbnail': 'save the thumbnail of a video',
  'media.getUpload': 'read the state of an upload',
  'cliSessions.list': 'list sessions; archived ones only with --include-archived',
  'operations.ready': 'check whether the server can serve requests',
  'operations.livez': 'check whether the process responds, without its database',
  'operations.readyz': 'check whether the service can serve requests, with reasons',
  'operations.metrics': 'print the metrics in the text format of Prometheus',
  'operations.openapi': 'print the contract of the API as OpenAPI 3.1',
  'email.inbound': 'submit a raw MIME message',
  'email.downloadAttachment': 'create a temporary link to an attachment, which works without a key',
};

/** Lists of a result that contain the records of others again. */
export const repeatedLists: Readonly<Record<string, readonly string[]>> = {
  'relationships.list': ['data'],
};
