import { Icon } from '#views/ui/icon.tsx'
import { Document } from './layout.tsx'
import type { Theme } from './shell.ts'

interface PlainProps {
  title: string
  content: JSX.Element
  screen?: string
  theme: Theme
}

export const Plain = ({ title, content, screen, theme }: PlainProps) => (
  <Document title={title} screens={screen?.split(' ')} class="plain" theme={theme}>
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
