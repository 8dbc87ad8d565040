export const Stat = ({ name, value, note }: { name: string; value: string; note: string }) => (
  <div class="stat">
    <dt safe>{name}</dt>
    <dd safe>{value}</dd>
    <dd safe>{note}</dd>
  </div>
)

export function changeOf(now: number, before: number): string {
  if (before <= 0) return 'None in the days before'
  const percent = Math.round(((now - before) / before) * 100)
  return percent === 0 ? 'As in the days before' : `${percent > 0 ? '+' : '−'}${Math.abs(percent)}% on the days before`
}

/** `3.4%` of a share from 0 to 1. */
export const rateText = (rate: number | null): string =>
  rate === null ? '–' : `${(Math.round(rate * 1_000) / 10).toLocaleString('en')}%`
