export { extractEntitiesAndFacts } from './entities/extract.ts';
export { type Gazetteer, getGazetteer } from './entities/gazetteer.ts';
export { findSpeakerFacts } from './first-person/speaker-facts.ts';
export { isOfMachine } from './roles.ts';
export { deriveStatements } from './statements/derive.ts';
export { type FoundStatement, findStatements } from './statements/find-statements.ts';
export {
  type Conversation,
  type EntityType,
  type ExtractedEntity,
  type ExtractedFact,
  type Extraction,
  entityTypes,
  type FactPredicate,
  factPredicates,
  type KnownStatement,
  type SourceText,
  type SpeakerFact,
  type SpeakerPredicate,
  type Statement,
  type StatementKind,
  statementKinds,
  type Turn,
} from './types.ts';
