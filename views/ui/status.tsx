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

/** A post's state. */
export const Status = ({ state }: { state: State }) => <StatusMark state={state} {...states[state]} />

export interface StatusLook {
  /** The name of its color. */
  state: State
  icon: IconName
  word: string
}

/** The state of anything: its icon carries the color, its word says it. */
export const StatusMark = ({ state, icon, word }: StatusLook) => (
  <span class="status" data-state={state}>
    <Icon name={icon} />
    <span safe>{word}</span>
  </span>
)
