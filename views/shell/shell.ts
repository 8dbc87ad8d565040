import type { IconName } from '#views/ui/icon.tsx'

/** The colors that a person chose; undefined follows the system. */
export type Theme = 'light' | 'dark' | undefined

/** What the frame needs to know of the person and the place. */
export interface Shell {
  /** The request's path: marks where one is. */
  path: string
  user: { id: string; name: string; role: string | null }
  /** The active organization's name; null in the personal context. */
  organization: string | null
  organizationId: string | null
  /** Where the person can work. */
  organizations: { id: string; name: string }[]
  /** What can be opened here, the person's favorites first. */
  apps: ShellApp[]
  /** The ids of apps that the person doesn't want to see. */
  hiddenApps: string[]
  tileSize: 'small' | 'medium' | 'large'
  theme: Theme
  /** The main navigation. */
  places: ShellPlace[]
  /** What people do most, as a button beside it. */
  primary: ShellPlace | null
  /** Selects what the pages show, such as a brand; above the navigation. */
  switcher: JSX.Element
  /** The name of what is selected, such as the brand's: the title of a narrow window. */
  selected: string | null
  /** Dialogs that every page can open. */
  dialogs: JSX.Element
  canAdminister: boolean
}

declare module '#lib/context.ts' {
  interface ShellPart extends Partial<Shell> {}
}

/** A link of the navigation. */
export interface ShellPlace {
  label: string
  icon: IconName
  href: string
}

/** An app of the registry. */
export interface ShellApp {
  id: string
  name: string
  icon: string | null
  /** Where its first page is on its host. */
  webUrl: string
  /** The same from anywhere. */
  href: string
  /** Where a hand-off to it arrives; null where it takes none. */
  redirectUri: string | null
}
