import { Icon } from '#views/ui/icon.tsx'
import { Document } from './document.tsx'

interface PlainProps {
  title: string
  content: JSX.Element
  screen?: string
}

/** The frame of what stands outside the app: the front page, problems, the sandbox's timeline. */
export const Plain = ({ title, content, screen }: PlainProps) => (
  <Document title={title} screen={screen} class="plain">
    <header>
      <a class="row" href="/">
        <span class="app-mark">
          <Icon name="layout-grid" />
        </span>
        <strong>Atrium</strong>
      </a>
    </header>
    <main class="main">{content}</main>
  </Document>
)
