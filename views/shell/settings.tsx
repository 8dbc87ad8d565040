/** A page of the settings. */
export interface SettingsPlace {
  path: string
  label: string
}

interface SettingsProps {
  title: string
  places: SettingsPlace[]
  /** The path at hand. */
  here: string
  content: JSX.Element
}

/** The frame of the settings or the administration: all their pages as tabs above the one at hand, which brings its own `.page`. */
export const Settings = ({ title, places, here, content }: SettingsProps) => (
  <>
    <header class="page-header">
      <h1 safe>{title}</h1>
    </header>
    <nav class="tabs" aria-label={title}>
      {places.map(({ path, label }) => (
        <a href={path} aria-current={current(path, here)} safe>
          {label}
        </a>
      ))}
    </nav>
    {content}
  </>
)

/** A page under another in the settings counts as being there. */
const current = (path: string, here: string) => {
  if (here === path) return 'page'
  return here.startsWith(`${path}/`) ? 'true' : undefined
}
