import type { Route } from './route.ts';
import { accountRoutes, adminRoutes, authRoutes, keyRoutes } from './routes/accounts.ts';
import { activationRoutes } from './routes/activation-sessions.ts';
import { bulkChangeRoutes } from './routes/bulk-changes.ts';
import { cliSessionRoutes } from './routes/cli-sessions.ts';
import { clusterMapRoutes } from './routes/cluster-map.ts';
import { clusteringRoutes } from './routes/clustering.ts';
import { clusterRoutes } from './routes/clusters.ts';
import { emailRoutes } from './routes/email.ts';
import { embeddingModelRoutes } from './routes/embedding-models.ts';
import { enrichmentRoutes } from './routes/enrichment.ts';
import { eventRoutes } from './routes/events.ts';
import { fromMessagesRoutes } from './routes/from-messages.ts';
import { jobRoutes, operatorJobRoutes } from './routes/jobs.ts';
import { knowledgeRoutes } from './routes/knowledge.ts';
import { maintenanceRoutes } from './routes/maintenance.ts';
import { mediaRoutes } from './routes/media.ts';
import { memoryRoutes } from './routes/memories.ts';
import { memoryErasureRoutes } from './routes/memory-erasure.ts';
import { neighbourhoodRoutes } from './routes/neighbourhood.ts';
import { grantRoutes } from './routes/oauth.ts';
import { operationRoutes } from './routes/operations.ts';
import { outboundEmailRoutes } from './routes/outbound-email.ts';
import { presetRoutes } from './routes/presets.ts';
import { recallRoutes } from './routes/recall.ts';
import { recoveryRoutes } from './routes/recovery.ts';
import { relationshipRoutes } from './routes/relationships.ts';
import { searchRoutes } from './routes/search.ts';
import { searchVariantRoutes } from './routes/search-variants.ts';
import { spaceRoutes } from './routes/spaces.ts';
import { adminTransferRoutes, transferRoutes } from './routes/transfers.ts';
import { updateSuggestionRoutes } from './routes/update-suggestions.ts';
import { webhookDeliveryRoutes } from './routes/webhook-deliveries.ts';
import { webhookRoutes } from './routes/webhooks.ts';

/** The contract: every route of the service, by area and verb. */
export const routes = {
  memories: {
    ...memoryRoutes,
    ...fromMessagesRoutes,
    ...memoryErasureRoutes,
    ...bulkChangeRoutes,
    ...updateSuggestionRoutes,
    ...enrichmentRoutes,
  },
  media: mediaRoutes,
  relationships: relationshipRoutes,
  knowledge: { ...knowledgeRoutes, ...neighbourhoodRoutes },
  clusters: { ...clusterRoutes, ...clusterMapRoutes, ...clusteringRoutes },
  search: { ...searchRoutes, ...recallRoutes, ...searchVariantRoutes, ...presetRoutes },
  spaces: spaceRoutes,
  cliSessions: cliSessionRoutes,
  sessions: activationRoutes,
  account: accountRoutes,
  auth: authRoutes,
  keys: keyRoutes,
  grants: grantRoutes,
  admin: {
    ...adminRoutes,
    ...maintenanceRoutes,
    ...embeddingModelRoutes,
    ...recoveryRoutes,
    ...operatorJobRoutes,
    ...adminTransferRoutes,
  },
  transfers: transferRoutes,
  email: { ...emailRoutes, ...outboundEmailRoutes },
  webhooks: { ...webhookRoutes, ...webhookDeliveryRoutes },
  operations: operationRoutes,
  jobs: jobRoutes,
  events: eventRoutes,
} as const;

export const allRoutes: readonly Route[] = Object.values(routes).flatMap((area) =>
  Object.values(area),
);

export { canonicalNameOf, deprecatedAt } from './aliases.ts';
export * from './archive-records.ts';
export { completeResponse, defaultStatusOf } from './complete-response.ts';
export * from './detect-updates.ts';
export * from './errors.ts';
export { eventSamples } from './event-samples.ts';
export * from './events.ts';
export { toFieldErrors } from './field-errors.ts';
export * from './fields.ts';
export { findAliases } from './find-aliases.ts';
export { limits } from './limits.ts';
export { hasFollowingPages, type ListTraits, listTraitsOf } from './list-envelope.ts';
export { renderNamesTables } from './names-table.ts';
export { buildOpenApi } from './openapi.ts';
export { payloadWrapperKey, webhookPayloadSchemas } from './openapi-webhooks.ts';
export * from './owners.ts';
export * from './plans.ts';
export { factPredicates, singleValuedPredicates } from './predicates.ts';
export * from './query-models.ts';
export {
  contentScope,
  type RequestInput,
  type ResponseBody,
  type Route,
  type RouteAccess,
  requestTypesOf,
  type ValidatedRequest,
} from './route.ts';
export { errorCodesOf, missingCredentialsCode } from './route-errors.ts';
export * from './schemas/accounts.ts';
export * from './schemas/activation-sessions.ts';
export * from './schemas/bulk-changes.ts';
export * from './schemas/cli-sessions.ts';
export * from './schemas/cluster-map.ts';
export * from './schemas/clustering.ts';
export * from './schemas/clusters.ts';
export * from './schemas/email.ts';
export * from './schemas/embedding-models.ts';
export * from './schemas/enrichment.ts';
export * from './schemas/events.ts';
export * from './schemas/from-messages.ts';
export * from './schemas/jobs.ts';
export * from './schemas/knowledge.ts';
export * from './schemas/maintenance.ts';
export * from './schemas/media.ts';
export * from './schemas/memories.ts';
export * from './schemas/memory-erasure.ts';
export * from './schemas/neighbourhood.ts';
export * from './schemas/oauth.ts';
export * from './schemas/operations.ts';
export * from './schemas/outbound-email.ts';
export * from './schemas/presets.ts';
export * from './schemas/recall.ts';
export * from './schemas/recovery.ts';
export * from './schemas/relationships.ts';
export * from './schemas/search.ts';
export * from './schemas/search-variants.ts';
export * from './schemas/spaces.ts';
export * from './schemas/transfers.ts';
export * from './schemas/update-suggestions.ts';
export * from './schemas/webhook-deliveries.ts';
export * from './schemas/webhooks.ts';
export { type SpaceLimitedKeyAccess, spaceLimitedKeyAccess } from './space-limited-keys.ts';
export { findSpaceNames, type NamesSpace, spaceNamePaths } from './space-names.ts';
export { characterCount, isStorableText, utf8Bytes } from './text.ts';
export { parseTimestamp } from './timestamp.ts';
export { isForUserTokens } from './user-tokens.ts';
export { type WaitingReason, waitingReasons } from './waiting-reasons.ts';
