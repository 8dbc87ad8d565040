import { Icon, type IconName } from './icon.tsx'

const states = {
  draft: { icon: 'circle-dashed', word: 'Draft' },
  scheduled: { icon: 'clock', word: 'Scheduled' },
  sending: { icon: 'send', word: 'Sending' },
  waiting: { icon: 'hourglass', word: 'Waiting' },
  published: { icon: 'circle-check', word: 'Published' },
  failed: { icon: 'circle-alert', word: 'Failed' },
} as const satisfies Record<string, { icon: IconName; word: string }>

export type State = keyof typeof states

/** A post's state: its icon carries the color, its word says it. */
export const Status = ({ state }: { state: State }) => (
  <span class="status" data-state={state}>
    <Icon name={states[state].icon} />
    {states[state].word}
  </span>
)
