import type { WaitlistEntry } from '#dashboard/types'

export const contactTopics = [
  { value: 'question', label: 'A question' },
  { value: 'billing', label: 'Billing' },
  { value: 'security', label: 'Security' },
  { value: 'press', label: 'Press' },
]

export const feedbackTopics = [
  { value: 'problem', label: 'Problem' },
  { value: 'idea', label: 'Idea' },
  { value: 'praise', label: 'Praise' },
]

export const waitedFor: Record<WaitlistEntry['topics'][number], { label: string; detail: string }> = {
  networks: { label: 'More networks', detail: 'Those that Atrium can’t publish to yet' },
  video: { label: 'Video on every network', detail: 'Some networks have it already, others only take images' },
  calendar: { label: 'The calendar', detail: 'Plan by dragging posts between days' },
  hosting: { label: 'Hosting in your region', detail: 'If you can’t use the region that we run in' },
}

const labels = new Map([
  ...[...contactTopics, ...feedbackTopics].map(({ value, label }) => [value, label] as const),
  ...Object.entries(waitedFor).map(([value, { label }]) => [value, label] as const),
])

/** What a visitor chose in a form, as its labels. */
export const topicWords = (topics: readonly string[]): string =>
  topics.map((topic) => labels.get(topic) ?? topic).join(', ')
