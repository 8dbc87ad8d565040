export interface SettingsPlace {
  path: string
  label: string
}

interface SettingsProps {
  title: string
  places: SettingsPlace[]
  here: string
  content: JSX.Element
}

/** The content brings its own `.page`. */
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

/** A page below another in the settings counts as it. */
const current = (path: string, here: string) => {
  if (here === path) return 'page'
  return here.startsWith(`${path}/`) ? 'true' : undefined
}
