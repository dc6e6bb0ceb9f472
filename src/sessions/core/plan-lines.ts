/** A line for each plan with open tasks: how many, and the first wave with one. */
export function planLines(open: readonly { readonly plan: string; readonly wave: string }[]) {
  const names = [...new Set(open.map(({ plan }) => plan))].toSorted();
  return names.map((plan) => {
    const waves = open.filter((one) => one.plan === plan).map(({ wave }) => wave);
    const [wave = ''] = waves.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
    const next = wave === '' ? '' : `, next wave ${wave}`;
    return `${plan}: ${waves.length} open${next} → contracts plan status ${plan}`;
  });
}
