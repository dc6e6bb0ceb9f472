/** When a limit ends, in a client's words; undefined where they cannot be read or mean nothing. Pure. */
const FAR_MS = 8 * 24 * 3_600_000;
const MINUTE_MS = 60_000;

const EPOCH = /(?:reset\w*["']?\W{1,3}|reached\|)(\d{10})\b/i;
const AFTER = /retry-after(-ms)?["']?\W{1,3}(\d+(?:\.\d+)?)/i;
const PAUSE =
  /(?:again|retry|resets?)\s+(?:in|after)\s+((?:\d+(?:\.\d+)?\s*(?:ms|d(?:ays?)?|h(?:(?:ou)?rs?)?|m(?:in(?:ute)?s?)?|s(?:ec(?:ond)?s?)?)(?![a-z])[\s,]*(?:and\s+)?)+)/i;
const CLOCK =
  /(?:resets?|again)\s+(?:at\s+|on\s+)?(?:([a-z]{3})[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(?:\d{4},?\s+)?(?:at\s+)?)?(\d{1,2})(?::(\d\d))?\s*([ap])?\.?(?:m\b)?\.?(?:\s*\(([\w/+-]+)\))?/i;
const UNITS_MS: Record<string, number> = { d: 86_400_000, h: 3_600_000, m: MINUTE_MS, s: 1000 };

export function resetTime(words: string, now: Date): string | undefined {
  const now_ms = now.getTime();
  const epoch = EPOCH.exec(words)?.[1];
  const after = AFTER.exec(words);
  const pause = PAUSE.exec(words)?.[1];
  const at_ms =
    epoch !== undefined
      ? Number(epoch) * 1000
      : after !== null
        ? now_ms + Number(after[2]) * (after[1] === undefined ? 1000 : 1)
        : pause !== undefined
          ? now_ms + pauseMs(pause)
          : clockMs(words, now_ms);
  if (at_ms === undefined || at_ms <= now_ms || at_ms > now_ms + FAR_MS) return undefined;
  return new Date(Math.round(at_ms)).toISOString();
}

function pauseMs(text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)\s*(ms|[dhms])/gi)];
  return parts.reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * (UNITS_MS[unit.toLowerCase()] ?? 1),
    0,
  );
}

/** The next minute at which a clock of that zone shows it. */
function clockMs(words: string, now_ms: number): number | undefined {
  const [, month, day, hour, minute, half, zone] = CLOCK.exec(words) ?? [];
  if (hour === undefined || (minute === undefined && half === undefined)) return undefined;
  const hours =
    half === undefined ? Number(hour) : (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0);
  const time = `${String(hours).padStart(2, '0')}:${minute ?? '00'}`;
  const wanted = month === undefined ? time : `${month} ${Number(day)}, ${time}`.toLowerCase();
  const clock = clockIn(zone);
  const first_ms = Math.ceil(now_ms / MINUTE_MS) * MINUTE_MS;
  for (let at_ms = first_ms; at_ms <= now_ms + FAR_MS; at_ms += MINUTE_MS) {
    if (clock.format(at_ms).toLowerCase().endsWith(wanted)) return at_ms;
  }
  return undefined;
}

/** A zone that is not known is the machine's own. */
function clockIn(timeZone: string | undefined): Intl.DateTimeFormat {
  const shown = { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' } as const;
  try {
    return new Intl.DateTimeFormat('en-US', { ...shown, hourCycle: 'h23', timeZone });
  } catch {
    return new Intl.DateTimeFormat('en-US', { ...shown, hourCycle: 'h23' });
  }
}
