import { Icon, type IconName } from '#views/ui/icon.tsx'
import { brandHref, type Shell } from './shell.ts'

/** The pages of the app, as links for the brand at hand. */
export const Places = ({ shell }: { shell: Shell }) => (
  <>
    {shell.may.openPosts ? <Place label="Posts" icon="list" path="/workspace/posts" shell={shell} /> : null}
    {shell.may.readAccounts ? <Place label="Accounts" icon="plug" path="/workspace/accounts" shell={shell} /> : null}
  </>
)

interface PlaceProps {
  label: string
  icon: IconName
  path: string
  shell: Shell
}

const Place = ({ label, icon, path, shell }: PlaceProps) => (
  <a href={brandHref(path, shell.brand)} aria-current={current(path, shell.path)}>
    <Icon name={icon} />
    <span safe>{label}</span>
  </a>
)

/** A page under another in the navigation counts as being there. */
const current = (path: string, here: string) => {
  if (here === path) return 'page'
  return here.startsWith(`${path}/`) ? 'true' : undefined
}
