const fields: Readonly<Record<string, string>> = {
  SUMMARY: 'Event',
  DTSTART: 'Start',
  DTEND: 'End',
  LOCATION: 'Location',
  ORGANIZER: 'Organizer',
  DESCRIPTION: 'Description',
};
const eventsMax = 20;
const valueCharactersMax = 2_000;

/** Formats the events of a calendar (RFC 5545) as readable lines; empty without events. */
export function formatCalendarEvents(calendar: string): string {
  const lines = calendar.replaceAll(/\r?\n[ \t]/g, '').split(/\r?\n/);
  const events: string[][] = [];
  let depth = 0;
  for (const line of lines) {
    const parsed = /^([A-Z-]{1,40})((?:;[^:]{0,300})?):(.*)$/i.exec(line);
    if (!parsed) continue;
    const [, key = '', parameters = '', value = ''] = parsed;
    const name = key.toUpperCase();
    if (name === 'BEGIN' && value.toUpperCase() === 'VEVENT') {
      if (events.length >= eventsMax) break;
      events.push([]);
      depth = 1;
    } else if (name === 'BEGIN') depth += depth > 0 ? 1 : 0;
    else if (name === 'END') depth -= depth > 0 ? 1 : 0;
    // Skips the properties of nested components, such as alarms.
    else if (depth === 1 && fields[name] !== undefined) {
      events.at(-1)?.push(`${fields[name]}: ${formatValue(name, value, parameters)}`);
    }
  }
  return events.map((event) => event.join('\n')).join('\n\n');
}

function formatValue(name: string, value: string, parameters: string): string {
  if (name.startsWith('DT')) return formatTime(value, /TZID=([^;:]{1,64})/i.exec(parameters)?.[1]);
  if (name === 'ORGANIZER') return value.replace(/^mailto:/i, '');
  return value
    .slice(0, valueCharactersMax)
    .replaceAll(/\\n/gi, '\n')
    .replaceAll(/\\([,;\\])/g, '$1');
}

/** 20260105T093000Z as 2026-01-05 09:30 UTC; other values are returned unchanged. */
function formatTime(value: string, zone: string | undefined): string {
  const [, year, month, day, hour, minute, utc] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?$/.exec(value) ?? [];
  if (year === undefined) return value.slice(0, 100);
  const date = `${year}-${month}-${day}`;
  if (hour === undefined) return date;
  const suffix = utc ? ' UTC' : zone === undefined ? '' : ` ${zone}`;
  return `${date} ${hour}:${minute}${suffix}`;
}
