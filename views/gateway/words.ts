import type { Family, LimitMode, Period, ReportDimension } from '#gateway/types'
import { timeText } from '#views/ui/time.tsx'

/** `12 Nov`, of a UTC day. */
export const dayText = (day: string): string => timeText(`${day}T00:00:00Z`, 'UTC', 'shortDay').replace(/,? \d{4}$/, '')

export const familyNames: Record<Family, string> = {
  ai: 'AI',
  translation: 'Translation',
  infrastructure: 'Infrastructure',
  email: 'Email',
  requests: 'API requests',
  video_quota: 'Video quota',
}

export const dimensions: Record<ReportDimension, { tab: string; of: string; none: string }> = {
  family: { tab: 'Family', of: 'family', none: 'No family' },
  application: { tab: 'App', of: 'app', none: 'No app' },
  model: { tab: 'Model', of: 'model', none: 'No model' },
  user: { tab: 'Person', of: 'person', none: 'No person' },
  apiKey: { tab: 'API key', of: 'API key', none: 'No API key' },
  brand: { tab: 'Brand', of: 'brand', none: 'No brand' },
  certainty: { tab: 'Certainty', of: 'certainty', none: 'Unknown' },
}

export const certaintyNames = { exact: 'Exact', estimated: 'Estimated', suspect: 'Suspect' }

export const periodNames: Record<Period, string> = {
  hour: 'hourly',
  day: 'daily',
  week: 'weekly',
  month: 'monthly',
  total: 'in total',
}

export const modeNames: Record<LimitMode, string> = { observe: 'Observe', soft: 'Soft', hard: 'Hard' }
