/** What features are called for people. */
const names: Readonly<Record<string, string>> = {
  best_match: 'Nearness of the best result',
  bias: 'Starting point of every result',
  behind_first: 'Distance to the first result',
  lead: 'Lead over the second result',
  no_match: 'No match',
  outdated: 'Outdated',
};

const nameOf = (feature: string): string =>
  names[feature] ?? feature.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase());

/** Differences that no bar could show. */
const shownMin = 0.005;

interface FeatureBarsProps {
  /** What each feature adds to the log-odds of the score. */
  readonly features: Readonly<Record<string, number>>;
  readonly label?: string;
}

/** Bars to the right raise the score, bars to the left lower it. */
export function FeatureBars({ features, label = 'What each feature adds' }: FeatureBarsProps) {
  const shown = Object.entries(features)
    .filter(([, value]) => Math.abs(value) >= shownMin)
    .toSorted(([, a], [, b]) => Math.abs(b) - Math.abs(a));
  const largest = Math.max(...shown.map(([, value]) => Math.abs(value)), shownMin);
  return (
    <table className="features">
      <caption className="hint">{label}, in log-odds of the score</caption>
      <tbody>
        {shown.map(([name, value]) => {
          const width = `${(Math.abs(value) / largest) * 50}%`;
          return (
            <tr key={name}>
              <th scope="row">{nameOf(name)}</th>
              <td className="feature-bar" aria-hidden="true">
                <i data-sign={value < 0 ? 'minus' : 'plus'} style={{ width }} />
              </td>
              <td className="feature-value">
                {value < 0 ? '−' : '+'}
                {Math.abs(value).toFixed(2)}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
