import type { SpendLimit } from '#gateway/types'
import { percent } from '../money.ts'

interface MeterProps {
  limit: Pick<SpendLimit, 'spentNanoUsd' | 'reservedNanoUsd' | 'limitNanoUsd'> & { forecastNanoUsd?: number }
}

const nearPercent = 80

export const LimitMeter = ({ limit }: MeterProps) => {
  const { spentNanoUsd, reservedNanoUsd, limitNanoUsd, forecastNanoUsd } = limit
  const spent = limitNanoUsd === 0 ? 100 : Math.min(percent(spentNanoUsd, limitNanoUsd), 100)
  const held = Math.min(percent(reservedNanoUsd, limitNanoUsd), 100 - spent)
  const forecast =
    forecastNanoUsd === undefined || limitNanoUsd === 0 ? 100 : Math.min(percent(forecastNanoUsd, limitNanoUsd), 100)
  return (
    <span
      class="meter"
      data-state={spent + held >= 100 ? 'over' : spent + held >= nearPercent ? 'near' : undefined}
      data-scale={forecastNanoUsd === undefined ? undefined : 'forecast'}
      style={`--value: ${spent}%; --held: ${held}%; --forecast: ${forecast}%`}
      role="img"
      aria-label={held > 0 ? `${spent}% spent, ${held}% held` : `${spent}% spent`}
    />
  )
}
