import type { Db } from '../../../database/index.ts';
import {
  deleteInstanceSetting,
  readInstanceSetting,
  setInstanceSetting,
} from '../../../instance/instance-settings.ts';
import type { StoredEmbeddingSettings } from '../../../providers/embedding/index.ts';

export const changeModelKind = 'operations.change-model';

const choiceKey = 'embedding_choice';

/** Serializes changes of the choice. */
export const choiceLock = 'operations.embedding-choice';

/** A model as an operator chose it; settings null: the configured model. */
export interface ChosenModel {
  readonly name: string;
  readonly settings: StoredEmbeddingSettings | null;
}

/** A change that is in progress. */
interface ModelChangeRecord {
  readonly target: ChosenModel;
  /** The model's name in vectors. */
  readonly model: string;
  readonly jobId: string;
}

/** The embedding model that operators chose while the server ran; all processes follow it. */
export interface ModelChoice {
  /** The configured model at that time: another configuration replaces the choice. */
  readonly configured: string;
  readonly current: ChosenModel;
  readonly change: ModelChangeRecord | null;
}

export const configuredModel: ChosenModel = { name: 'configured', settings: null };

export async function readModelChoice(db: Db): Promise<ModelChoice | null> {
  const text = await readInstanceSetting(db, choiceKey);
  return text === null ? null : (JSON.parse(text) as ModelChoice);
}

/** Stores the choice, or removes it if it is the configured model. */
export async function saveModelChoice(db: Db, choice: ModelChoice): Promise<void> {
  if (choice.current.settings === null && choice.change === null) {
    await deleteInstanceSetting(db, choiceKey);
  } else await setInstanceSetting(db, choiceKey, JSON.stringify(choice));
}

export const deleteModelChoice = (db: Db): Promise<unknown> => deleteInstanceSetting(db, choiceKey);

/** The model that processes use: during a change the new one, of which contents get vectors. */
export const effectiveModel = ({ current, change }: ModelChoice): ChosenModel =>
  change?.target ?? current;
