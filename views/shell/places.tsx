import { Icon } from '#views/ui/icon.tsx'
import type { ShellPlace } from './shell.ts'

interface PlacesProps {
  places: ShellPlace[]
  /** The path of the page that is shown. */
  here: string
}

/** Pages of the app, as links. */
export const Places = ({ places, here }: PlacesProps) => (
  <>
    {places.map(({ label, icon, href }) => (
      <a href={href} aria-current={current(href, here)}>
        <Icon name={icon} />
        <span safe>{label}</span>
      </a>
    ))}
  </>
)

/** A page under another in the navigation counts as being there. */
const current = (href: string, here: string) => {
  const [path = ''] = href.split('?')
  if (here === path) return 'page'
  return here.startsWith(`${path}/`) ? 'true' : undefined
}
