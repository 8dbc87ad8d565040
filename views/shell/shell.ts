import type { IconName } from '#views/ui/icon.tsx'

/** Undefined follows the system. */
export type Theme = 'light' | 'dark' | undefined

export interface Shell {
  path: string
  user: { id: string; name: string; role: string | null }
  /** Null in the personal context. */
  organization: string | null
  organizationId: string | null
  organizationLogo: string | null
  organizations: { id: string; name: string }[]
  apps: ShellApp[]
  hiddenApps: string[]
  tileSize: 'small' | 'medium' | 'large'
  theme: Theme
  /** Its sidebar replaces that of the app. */
  area: ShellArea | null
  /** The main navigation of the app. */
  places: ShellPlace[]
  primary: ShellPlace | null
  switcher: JSX.Element
  selected: string | null
  dialogs: JSX.Element
  canAdminister: boolean
  /** Whether browsers install the launchpad here, with its worker. */
  hasWorker: boolean
  /** Where links to apps send their launches; null without the dashboard, so they get a hand-off code of identity. */
  launches: ShellLaunches | null
}

declare module '#lib/context.ts' {
  interface ShellPart extends Partial<Shell> {}
}

/** The settings, the administration or the developers' pages. */
export interface ShellArea {
  title: string
  /** It is in the app switcher. */
  isApp: boolean
  groups: ShellGroup[]
  /** For narrow screens, the most used first. */
  quick: ShellPlace[]
}

export interface ShellGroup {
  title: string | null
  /** Shows the organization, and leads to the others. */
  hasOrganizations: boolean
  places: ShellPlace[]
}

export interface ShellLaunches {
  /** For `hx-post`. */
  path: string
  /** The page of the dashboard before the ID of an app, for new tabs. */
  page: string
}

export interface ShellPlace {
  label: string
  icon: IconName
  href: string
  /** For overviews. */
  summary?: string
  /** What waits there; nothing for 0. */
  count?: number
  /** It is marked for its own page only, not for those below its path. */
  isAlone?: boolean
  /** The path of another page that it is marked for. */
  also?: string
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
