type Interval = 'day' | 'week' | 'month' | 'year'

/** Unix seconds `count` intervals later. The 31st becomes the last day of a shorter month. */
export function addInterval(from: number, interval: string, count: number): number {
  const unit = unitOf(interval)
  return (
    Temporal.Instant.fromEpochMilliseconds(from * 1000)
      .toZonedDateTimeISO('UTC')
      .add({ [`${unit}s`]: count })
      .toInstant().epochMilliseconds / 1000
  )
}

const unitOf = (interval: string): Interval =>
  interval === 'day' || interval === 'week' || interval === 'year' ? interval : 'month'
