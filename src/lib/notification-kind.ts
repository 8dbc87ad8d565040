import type { Role, ServicePermission } from './actor.ts'
import type { Icons } from './icon.ts'

export interface Channels {
  inApp: boolean
  email: boolean
  push: boolean
  chat: boolean
}

/** What people can be notified of, and choose channels for. */
export interface NotificationKind {
  name: `${Lowercase<string>}.${Lowercase<string>}`
  /** The slug of the service that raises it. */
  service: string
  /** Its heading among the kinds. */
  group: string
  title: string
  detail?: string
  icon: keyof Icons
  /** What a member needs to see its notifications: a permission of `service`, or a role. */
  permission: ServicePermission | `role:${Role}`
  /** Until a person chooses others. */
  defaults: Channels
  /** Also delivered during quiet hours. */
  urgent?: true
  /** Channels that people can’t turn off. */
  locked?: readonly (keyof Omit<Channels, 'chat'>)[]
}

export const notificationKind = (kind: NotificationKind): NotificationKind => kind
