/** A page of the settings. */
export interface SettingsPlace {
  path: string
  label: string
}

interface SettingsProps {
  places: SettingsPlace[]
  /** The path at hand. */
  here: string
  content: JSX.Element
}

/** The frame of the settings: all their pages as tabs above the one at hand, which brings its own `.page`. */
export const Settings = ({ places, here, content }: SettingsProps) => (
  <>
    <header class="page-header">
      <h1>Settings</h1>
    </header>
    <nav class="tabs" aria-label="Settings">
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
