import type { IconName } from '#views/ui/icon.tsx'

/** Undefined follows the system. */
export type Theme = 'light' | 'dark' | undefined

export interface Shell {
  path: string
  user: { id: string; name: string; role: string | null }
  /** Null in the personal context. */
  organization: string | null
  organizationId: string | null
  organizations: { id: string; name: string }[]
  apps: ShellApp[]
  hiddenApps: string[]
  tileSize: 'small' | 'medium' | 'large'
  theme: Theme
  places: ShellPlace[]
  primary: ShellPlace | null
  switcher: JSX.Element
  selected: string | null
  dialogs: JSX.Element
  canAdminister: boolean
}

declare module '#lib/context.ts' {
  interface ShellPart extends Partial<Shell> {}
}

export interface ShellPlace {
  label: string
  icon: IconName
  href: string
}

export interface ShellApp {
  id: string
  name: string
  icon: string | null
  webUrl: string
  /** The same from anywhere. */
  href: string
  /** Null where it takes none. */
  redirectUri: string | null
}
