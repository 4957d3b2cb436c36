import type { LabelledText } from '../bench/labels.ts';
import { normalizeName, scoreExtraction, Tally } from '../bench/scoring.ts';
import { getCandidateText } from '../src/entities/candidates.ts';
import { extractEntitiesAndFacts, tokenizeSource } from '../src/entities/extract.ts';
import { groupMentions } from '../src/entities/group-mentions.ts';
import { Weights } from '../src/entities/model/weights.ts';
import { mentionsFromSpans } from './relation-examples.ts';
import { trainFactModel, trainNameModel } from './train-models.ts';
import type { TrainingText } from './training-texts.ts';

const foldCount = 4;

/**
 * How well texts are read by models that did not learn from them: each fold by what the others
 * taught. Dates are left out, since the training texts do not tell their values.
 */
export function crossValidate(
  training: readonly TrainingText[],
  besides: readonly TrainingText[],
): Map<string, Tally> {
  const totals = new Map<string, Tally>();
  for (let fold = 0; fold < foldCount; fold += 1) {
    const others = training.filter((_, at) => at % foldCount !== fold);
    const models = {
      names: new Weights(trainNameModel([...others, ...besides])),
      facts: new Weights(trainFactModel([...others, ...besides])),
    };
    for (const lesson of training.filter((_, at) => at % foldCount === fold)) {
      const { tallies } = scoreExtraction(
        toLabelledText(lesson),
        extractEntitiesAndFacts(lesson, models),
      );
      for (const [name, tally] of tallies) totals.set(name, addTallies(totals.get(name), tally));
    }
  }
  return totals;
}

function addTallies(one: Tally | undefined, other: Tally): Tally {
  const total = new Tally();
  total.correct = (one?.correct ?? 0) + other.correct;
  total.found = (one?.found ?? 0) + other.found;
  total.labelled = (one?.labelled ?? 0) + other.labelled;
  return total;
}

/** The text as the halves are labelled: its names in groups, each fact between two of them. */
function toLabelledText(lesson: TrainingText): LabelledText {
  const { id, at, speaker, text, spans, facts } = lesson;
  const { reading } = tokenizeSource(lesson);
  const entities = groupMentions(reading, mentionsFromSpans(reading.words, spans)).map((group) => ({
    type: group.type,
    name: group.name,
    mentions: group.mentions.map((mention) => getCandidateText(reading, mention)),
  }));
  const grouped = (name: string): string =>
    entities.find(({ mentions }) => mentions.map(normalizeName).includes(normalizeName(name)))
      ?.name ?? name;
  const told = facts.map((fact) => ({
    ...fact,
    subject: grouped(fact.subject),
    object: grouped(fact.object),
  }));
  const said = speaker === undefined ? {} : { speaker };
  return { id, at: at.toISOString(), ...said, text, entities, facts: told };
}
